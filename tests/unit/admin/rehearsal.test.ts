import { describe, expect, test } from "vitest";
import { type AssumedState, rehearse } from "@/lib/admin/rehearsal";
import { AVAILABLE } from "@/lib/router/availability";
import { buildSnapshot, type CatalogNode, DEFAULT_TIMEOUTS } from "@/lib/router/catalog";

const node = (name: string): CatalogNode => ({
  id: `id-${name}`,
  name,
  protocol: "chat",
  baseUrl: "https://x.example",
  credential: null,
  credentialKeyId: null,
  headers: {},
  enabled: true,
  proxy: null,
  maxConcurrency: null,
  timeouts: DEFAULT_TIMEOUTS,
  simulated: false,
  managedByFile: false,
});
const route = (name: string, priority: number, weight: number) => ({
  id: `route-${name}`,
  nodeId: `id-${name}`,
  upstreamModel: "up",
  priority,
  weight,
});
const snapshot = buildSnapshot({
  version: "1",
  nodes: [node("a"), node("b"), node("c")],
  plans: [],
  nextPriceAt: null,
  models: [
    {
      id: "m",
      alias: "main",
      alsoKnownAs: [],
      displayName: "",
      contextWindow: null,
      maxOutputTokens: null,
      defaultMaxTokens: 4096,
      profile: {},
      enabled: true,
      price: {
        version: 1,
        inputNanoCents: 0n,
        outputNanoCents: 0n,
        cacheReadNanoCents: null,
        cacheWriteNanoCents: null,
      },
      routes: [route("a", 0, 75), route("b", 0, 25), route("c", 1, 100)],
      createdAt: new Date(0),
    },
  ],
});
let state = 1;
const random = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const run = (assume: Record<string, AssumedState>, model = "main") =>
  rehearse(snapshot, () => AVAILABLE, { model, assume }, random);

describe("a rehearsal", () => {
  test("shares first calls by weight and keeps the next priority for failover", () => {
    const { shares, order } = run({});
    const share = (name: string) => shares.find((entry) => entry.node === name)?.share ?? 0;
    expect(share("a")).toBeGreaterThan(0.65);
    expect(share("b")).toBeGreaterThan(0.15);
    expect(share("c")).toBe(0);
    expect(order.at(-1)?.node).toBe("c");
  });

  test("moves on when nodes are assumed to be out", () => {
    const { order, skipped, shares } = run({ a: "cooling", b: "ejected" });
    expect(order[0]?.node).toBe("c");
    expect(skipped.map((entry) => entry.node).sort()).toEqual(["a", "b"]);
    expect(shares).toEqual([{ node: "c", share: 1 }]);
  });

  test("says what callers get when nothing is left", () => {
    const outcome = run({ a: "cooling", b: "cooling", c: "busy" });
    expect(outcome).toMatchObject({ answer: "NO_AVAILABLE_NODE", order: [], shares: [] });
    expect(outcome.retryAfterSeconds).toBeGreaterThanOrEqual(1);
  });

  test("refuses unknown models and nodes", () => {
    expect(() => run({}, "nope")).toThrow();
    expect(() => run({ nobody: "ejected" })).toThrow();
  });
});
