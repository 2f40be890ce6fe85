import { expect, test } from "vitest";
import { refuseAtArrival } from "@/lib/gateway/dispatch";
import { GatewayError } from "@/lib/kernel/errors";
import { callOf, GenerationRig } from "./generation-rig";

/** Source: docs/architecture.md#s1-11. */
test.each([
  ["POST", "/v1/chat/completions", 503],
  ["POST", "/v1/messages", 503],
  ["POST", "/v1/embeddings", 503],
  ["POST", "/v1/responses", 503],
  ["POST", "/v1/responses/compact", 503],
  ["POST", "/v1/responses/input_tokens", null],
  ["GET", "/v1/embeddings", null],
  ["POST", "/v1/messages/count_tokens", null],
  ["GET", "/v1/models", null],
])(
  "a process that is overloaded refuses billed calls before anything else: %s %s",
  (method, path, status) => {
    const { gateway } = new GenerationRig(["chat"]);
    gateway.admission.atArrival = () => new GatewayError("NO_AVAILABLE_NODE", "Busy.", { overload: true });
    const reply = refuseAtArrival(gateway, { ...callOf("chat"), method, path });
    expect(reply?.status ?? null).toBe(status);
  },
);
