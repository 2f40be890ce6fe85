import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { type ErrorBody, gatewayFor } from "../support/gateway-fixtures";
import { absence, exchanges, forEachOf, present, type RecordedProtocol, recordedCalls } from "./corpus";

const AT_ONCE = 8;

// Named like models whose abilities are known, so that requests are prepared as they would be for those.
const upstreamModels: Record<RecordedProtocol, string> = { chat: "gpt-4.1", messages: "claude-sonnet-4-5" };

/** What one protocol can say and the other cannot; a recorded request may be refused for nothing else. */
const limitsOfTheProtocols: readonly RegExp[] = [
  /^n must be 1/,
  /takes no audio|answers in text only/,
  /^tools\[0\]\.type: this model cannot run|^tools\[\d\]\.type must be function/,
  /state kept by a server/,
  /\.source\.type must be|not fetched/,
  /assistant message prefill/,
  /^reasoning_effort must be one of/,
  /content\[\d\]\.type must be one of/,
  /at least one user or assistant message/,
];

/** What the simulated provider refuses in its own protocol, where requests pass through as they came. */
const limitsOfTheSimulation: readonly RegExp[] = [
  /`tool_use` ids were found without/,
  /^Missing required parameter: 'tools\[0\]\.function\.name'/,
];

interface Request {
  name: string;
  protocol: RecordedProtocol;
  headers: Record<string, string>;
  body: JsonObject;
}

const requests: Request[] = present
  ? [
      ...recordedCalls(),
      ...exchanges()
        .filter(({ response, request }) => response.status === 200 && typeof request.body.model === "string")
        .map(({ id, protocol, request }) => ({
          name: id,
          protocol,
          headers: request.headers,
          body: request.body,
        })),
    ]
  : [];

describe.skipIf(!present)(`recorded requests through the running server${absence}`, () => {
  const gateway = gatewayFor({
    env: { COMPATIBILITY: "lenient" },
    models: (["chat", "messages"] as const).map((node) => ({
      alias: `on-${node}`,
      maxOutputTokens: 128_000,
      routes: [[node, upstreamModels[node]]],
    })),
  });

  for (const node of ["chat", "messages"] as const) {
    test(`are answered by a ${node} node that checks what it gets, or refused for what it cannot be told`, {
      timeout: 120_000,
    }, async () => {
      const { key } = await gateway.key();
      const wrong: Record<string, string> = {};
      let refused = 0;
      await forEachOf(requests, AT_ONCE, async (request) => {
        const answer = await send(key, request, `on-${node}`);
        const text = await answer.text();
        if (answer.status === 200 && isWhole(request, text)) return;
        const body: Partial<ErrorBody> = text.startsWith("{") ? JSON.parse(text) : {};
        const message = body.error?.message ?? text.slice(-200);
        refused += 1;
        const limits =
          request.protocol === node
            ? [...limitsOfTheProtocols, ...limitsOfTheSimulation]
            : limitsOfTheProtocols;
        if (answer.status !== 400 || !limits.some((limit) => limit.test(message)))
          wrong[request.name] = `${answer.status} ${message}`;
      });
      expect(wrong).toEqual({});
      expect(refused).toBeLessThan(requests.length * 0.06);
    });
  }

  async function send(key: string, request: Request, model: string): Promise<Response> {
    const beta = request.headers["anthropic-beta"];
    const path = request.protocol === "chat" ? "/v1/chat/completions" : "/v1/messages?beta=true";
    return gateway.server.gateway(
      path,
      key,
      { ...request.body, model },
      {
        "anthropic-version": "2023-06-01",
        ...(beta === undefined ? {} : { "anthropic-beta": beta }),
      },
    );
  }
});

/** True when the answer has its protocol's end. */
function isWhole({ protocol, body }: Request, text: string): boolean {
  if (body.stream !== true) return text.includes(protocol === "chat" ? '"finish_reason"' : '"stop_reason"');
  return text.includes(protocol === "chat" ? "data: [DONE]" : "event: message_stop");
}
