import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeclaredPrices, DeclaredWindow } from "@/lib/shared/prices/declared-prices";
import { windowAt } from "@/lib/shared/prices/window-at";
import {
  chatBody,
  gatewayFor,
  keyMoney,
  logEntry,
  reconcile,
  requestIdOf,
} from "../support/gateway-fixtures";
import { answerAsAsked } from "../support/priced-upstream";
import { priceOf } from "../support/prices";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream";
import type { TestUser } from "../support/server";
import { type VendorExample, vendorExamples } from "../support/vendor-prices";

let vendor: ScriptedUpstream | null = null;
beforeAll(async () => {
  vendor = await startScriptedUpstream(answerAsAsked);
});
afterAll(() => vendor?.close());

const paths = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
} as const;

/** More than any example has. Units: tokens. */
const MOST_OUTPUT = 1_000_000;

const HOUR_MS = 3_600_000;

/** The same prices with windows that now lies in or outside of as the moment of the example does. */
function pricesNow({ prices, at }: VendorExample): DeclaredPrices {
  if (prices.windows == null || at === undefined) return prices;
  const within = windowAt(priceOf(prices).windows, new Date(at));
  const windows = prices.windows.map((window, place): DeclaredWindow => {
    const { days: _, ...every } = window;
    if (place === within) return { ...every, from: "00:00", to: "24:00" };
    const [from, to] = [3, 4].map((hours) =>
      new Date(Date.now() + hours * HOUR_MS).toISOString().slice(11, 16),
    );
    return { ...every, from: from ?? "", to: to ?? "", timeZone: "UTC" };
  });
  return { ...prices, windows };
}

function bodyOf({ protocol, request }: VendorExample, model: string, stream: boolean) {
  const { messages, ...rest } = chatBody(model, { ...request, stream, max_tokens: MOST_OUTPUT });
  if (protocol !== "responses") return { messages, ...rest };
  const { max_tokens: limit, ...others } = rest;
  return { ...others, max_output_tokens: limit, input: messages, store: false };
}

const aliasOf = (index: number) => `example-${index}`;

/** Source: docs/prices.md#fields. */
describe("a published example of a vendor's price", () => {
  const gateway = gatewayFor({
    nodes: () =>
      (["chat", "messages", "responses"] as const).map((protocol) => ({
        name: `vendor-${protocol}`,
        protocol,
        url: vendor?.url ?? "",
      })),
    models: vendorExamples.map((example, index) => ({
      alias: aliasOf(index),
      maxOutputTokens: MOST_OUTPUT,
      prices: pricesNow(example),
      routes: [[`vendor-${example.protocol}`, JSON.stringify(example.answer)]],
    })),
  });
  let user: TestUser;
  beforeAll(async () => {
    user = await gateway.key();
  });

  test.each(vendorExamples.map((example, index) => ({ ...example, index })))(
    "$vendor: $title",
    async (example) => {
      for (const stream of [false, true]) {
        const body = bodyOf(example, aliasOf(example.index), stream);
        const answer = await gateway.server.gateway(paths[example.protocol], user.key, body);
        const text = await answer.text();
        expect(answer.status, text).toBe(200);
        const entry = await logEntry(gateway.server, user, requestIdOf(answer));
        const [whole = "0", fraction = ""] = entry.cost.split(".");
        expect(BigInt(whole + fraction.padEnd(6, "0")), JSON.stringify(entry.receipt)).toBe(
          example.amountMicroCents,
        );
        expect(entry.usageSource).toBe("upstream");
        expect(entry.receipt.total).toBe(entry.cost);
      }
    },
  );

  test("all together are what the key has used, and the books agree", async () => {
    const sum = vendorExamples.reduce((total, { amountMicroCents }) => total + 2n * amountMicroCents, 0n);
    expect((await keyMoney(gateway.server, user)).usedQuota).toBeCloseTo(Number(sum) / 1e6, 6);
    expect(await reconcile(gateway.server)).toMatchObject({ ok: true, openHolds: 0 });
  });

  test("come from six vendors and are forty at least", () => {
    expect(new Set(vendorExamples.map(({ vendor: name }) => name)).size).toBeGreaterThanOrEqual(6);
    expect(vendorExamples.length).toBeGreaterThanOrEqual(40);
    expect(new Set(vendorExamples.map(({ title }) => title)).size).toBe(vendorExamples.length);
  });
});
