import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Balances, type GatewayKey } from "@/lib/accounts/gateway-key";
import { MemoryLimiter } from "@/lib/admission/memory";
import { admit } from "@/lib/gateway/admit";
import type { GatewayRequest } from "@/lib/gateway/gateway-request";
import { asGatewayError, errorReply } from "@/lib/gateway/reply";
import { RequestLogBuilder } from "@/lib/gateway/request-log";
import { type Runtime, setRuntime } from "@/lib/gateway/runtime";
import { systemClock } from "@/lib/kernel/clock";
import { ConcurrencyLimiter } from "@/lib/kernel/concurrency";
import { GatewayError, overloaded } from "@/lib/kernel/errors";
import { Metrics } from "@/lib/ops/metrics";

const LIMITS = { qps: null, rpm: null, tpm: 10_000 };
const RESERVED = { tokens: 700, holdMicroCents: 5n };

let limiter: MemoryLimiter;
let hold: () => Promise<never>;
beforeEach(() => {
  limiter = new MemoryLimiter();
  const parts = {
    limiter,
    balances: new Balances(),
    ledger: { hold: () => hold() },
    metrics: new Metrics(),
    generationsPerKey: new ConcurrencyLimiter(),
    clock: systemClock,
    random: Math.random,
  };
  setRuntime(parts as unknown as Runtime); // admission asks for nothing else
});
afterEach(() => setRuntime(undefined));

/** The reply to a request whose hold ends as told. */
async function admitted(thrown: unknown) {
  hold = () => Promise.reject(thrown);
  const call = { protocol: "chat", requestId: "r", replyHeaders: {}, atEnd: [], receivedAtMs: 0 };
  const key = { keyId: "k", userId: "u", planName: "Free", limits: LIMITS };
  const given = call as unknown as GatewayRequest; // admission asks for nothing else
  const error = await admit(
    given,
    key as GatewayKey,
    RESERVED,
    new RequestLogBuilder(given, new Date()),
  ).then(() => null, asGatewayError);
  if (error === null) throw new Error("it was admitted");
  return errorReply(error, "chat", "r", call.replyHeaders);
}

/** Source: docs/contract.md#b5. */
describe("a request whose hold is not made", () => {
  test("because the ledger is at its capacity is told 503 and when to come back, and gets its tokens back", async () => {
    const reply = await admitted(overloaded("The gateway is at its capacity; nothing was billed."));
    expect(reply.status).toBe(503);
    expect(["1", "2", "3"]).toContain(reply.headers["retry-after"]);
    expect(JSON.parse(String(reply.body)).error.code).toBe("NO_AVAILABLE_NODE");
    expect((await limiter.peek("k", LIMITS)).tpm.used).toBe(0);
  });

  test("because something is broken is told 500, and gets its tokens back", async () => {
    for (const broken of [new GatewayError("INTERNAL_ERROR", "The database is gone."), new Error("a fault")])
      expect((await admitted(broken)).status).toBe(500);
    expect((await limiter.peek("k", LIMITS)).tpm.used).toBe(0);
  });
});
