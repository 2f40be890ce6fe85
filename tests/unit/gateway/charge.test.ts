import { beforeEach, describe, expect, test } from "vitest";
import { Charge } from "@/lib/gateway/charge";
import { asGatewayError, errorReply } from "@/lib/gateway/error-reply";
import { generate } from "@/lib/gateway/generate";
import { GatewayError, overloaded } from "@/lib/kernel/errors";
import { ClientDisconnected } from "@/lib/kernel/thrown";
import { CallCount } from "@/lib/kernel/usage";
import { callOf, GenerationRig, LIMITS, settled } from "./generation-rig";

const BODY = { model: "alias", max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };
const METERED = {
  usage: { inputUncached: 40, cacheRead: 0, cacheWrite: 0, output: 60, reasoning: 0 },
  source: "upstream",
} as const;

let rig: GenerationRig;
beforeEach(() => {
  rig = new GenerationRig(["chat"]);
});

function open() {
  const call = callOf("chat", BODY);
  return { call, charge: new Charge(rig.context(call)), plan: rig.plan(call, BODY) };
}

const countedTokens = async () => (await rig.limiter.peek("key-1", LIMITS)).tpm.used;

/** Source: docs/contract.md#b5. */
describe("a request whose hold is not made", () => {
  async function refused(thrown: unknown) {
    rig.ledger.hold = (_hold, waiter) => waiter.reject(thrown);
    const { call, charge, plan } = open();
    const error = await charge.reserve(plan).then(() => null, asGatewayError);
    if (error === null) throw new Error("it was admitted");
    await charge.fail(error);
    expect(rig.settlements).toEqual([]);
    return errorReply(error, "chat", "r", call.replyHeaders);
  }

  test("because the ledger is at its capacity is told 503 and when to come back, and gets its tokens back", async () => {
    const reply = await refused(
      overloaded("hold-capacity", "The gateway is at its capacity; nothing was billed."),
    );
    expect(reply.status).toBe(503);
    expect(["1", "2", "3"]).toContain(reply.headers["retry-after"]);
    expect(JSON.parse(String(reply.body)).error.code).toBe("NO_AVAILABLE_NODE");
    expect(await countedTokens()).toBe(0);
  });

  test("because something is broken is told 500, and gets its tokens back", async () => {
    for (const broken of [new GatewayError("INTERNAL_ERROR", "The database is gone."), new Error("a fault")])
      expect((await refused(broken)).status).toBe(500);
    expect(await countedTokens()).toBe(0);
  });

  test("because the ledger throws at once gives back what the balances were told, and its tokens", async () => {
    const told: bigint[] = [];
    const { balances } = rig.gateway;
    balances.addHold = (_key, amount) => void told.push(amount);
    balances.settle = (_key, held) => void told.push(-held);
    rig.ledger.hold = () => {
      throw new TypeError("a fault");
    };
    const { charge, plan } = open();
    await expect(charge.reserve(plan)).rejects.toThrow("a fault");
    expect(told).toHaveLength(2);
    expect(told.reduce((sum, amount) => sum + amount, 0n)).toBe(0n);
    expect(await countedTokens()).toBe(0);
  });

  test("because our own code fails is told 500, and is logged and counted like any other", async () => {
    const call = callOf("chat", BODY);
    Object.defineProperty(rig.gateway.settings, "compatibility", {
      get: () => {
        throw new TypeError("a fault");
      },
    });
    const reply = await generate(rig.gateway, call).catch(asGatewayError);
    expect(reply.status).toBe(500);
    expect(rig.settlements).toMatchObject([
      { requestId: call.requestId, status: "error", httpStatus: 500, errorCode: "INTERNAL_ERROR" },
    ]);
    expect(await countedTokens()).toBe(0);
  });

  test("because the quota is used up is logged as refused, with nothing held", async () => {
    rig.ledger.hold = (_hold, waiter) =>
      waiter.resolve({
        held: false,
        reason: "quota",
        level: "key",
        roomMicroCents: 0n,
        heldMicroCents: 0n,
      });
    const { charge, plan } = open();
    const error = await charge.reserve(plan).catch(asGatewayError);
    expect(error).toMatchObject({ code: "QUOTA_EXCEEDED" });
    await charge.fail(error);
    expect(rig.settlements).toMatchObject([
      { errorCode: "QUOTA_EXCEEDED", heldMicroCents: 0n, costMicroCents: 0n },
    ]);
    expect(await countedTokens()).toBe(0);
    expect(rig.gateway.balances.remaining({ keyId: "key-1", userId: "user-1" })).toBe(1_000_000_000n);
  });
});

/** Source: docs/architecture.md#s1-6. */
describe("a charge", () => {
  async function reserved() {
    const { call, charge, plan } = open();
    await charge.reserve(plan);
    return { call, charge };
  }

  test("ends once: any second end throws and records nothing", async () => {
    const meter = {
      missing: {},
      implausibleOutput: null,
      calls: new CallCount(),
      usage: {},
      final: () => METERED,
    } as never; // an answer with its counts
    const ends: ((charge: Charge) => Promise<unknown>)[] = [
      (charge) => charge.complete(METERED),
      (charge) => charge.interrupt(meter, new GatewayError("UPSTREAM_ERROR", "broken")),
      (charge) => charge.fail(new GatewayError("UPSTREAM_ERROR", "failed")),
      (charge) => charge.fail(new ClientDisconnected()),
    ];
    for (const first of ends)
      for (const second of ends) {
        rig.settlements.length = 0;
        const { charge } = await reserved();
        await first(charge);
        expect(charge.ended).toBe(true);
        await expect(second(charge)).rejects.toThrow("ends twice");
        expect(rig.settlements).toHaveLength(1);
      }
  });

  test("of an answer that could not be made durable still needs its end, which bills nothing", async () => {
    const { charge } = await reserved();
    const { settle } = rig.ledger;
    rig.ledger.settle = (_settlement, waiter) => waiter.reject(new Error("no disk, no database"));
    await expect(charge.complete(METERED)).rejects.toThrow("no disk");
    expect(charge.ended).toBe(false);
    rig.ledger.settle = settle.bind(rig.ledger);
    await charge.fail(new Error("no disk, no database"));
    expect(rig.settlements).toMatchObject([{ billingSource: "none", costMicroCents: 0n }]);
    expect(rig.settlements[0]?.heldMicroCents).toBeGreaterThan(0n);
  });

  test("replaces what it reserved by what was used", async () => {
    const { charge } = await reserved();
    const before = rig.gateway.balances.remaining({ keyId: "key-1", userId: "user-1" });
    const costMicroCents = await charge.complete(METERED);
    expect(costMicroCents).toBe(40n * 100n + 60n * 300n);
    expect(await countedTokens()).toBe(100);
    const after = rig.gateway.balances.remaining({ keyId: "key-1", userId: "user-1" });
    expect(after).toBe(1_000_000_000n - costMicroCents);
    expect(after).toBeGreaterThan(before - 1n);
  });
});

/** Source: docs/spec.md#s1-3. */
describe("a generation without a server", () => {
  test("makes one hold and one settlement, and answers what the node said", async () => {
    const generation = await rig.begin("chat", { stream: false });
    generation.node.open("application/json");
    const message = { role: "assistant", content: "Hi" };
    const usage = { prompt_tokens: 40, completion_tokens: 60, total_tokens: 100 };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    generation.node.send(
      JSON.stringify({ id: "c", object: "chat.completion", model: "upstream", choices, usage }),
    );
    generation.node.end();
    await generation.over;
    await settled();
    expect(JSON.parse(generation.wire)).toMatchObject({ model: "alias", choices, usage });
    expect(rig.ledger.holds).toHaveLength(1);
    expect(rig.settlements).toMatchObject([
      { requestId: rig.ledger.holds[0]?.requestId, status: "success", costMicroCents: 22_000n },
    ]);
  });
});
