import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AdminModel } from "@/components/api/admin/types";
import { priceEntry } from "@/lib/config/price-entry";
import type { DeclaredPrices } from "@/lib/shared/prices/declared-prices";
import type { ListEntry } from "@/lib/shared/prices/list-entry";
import { changeBy, changesSomething, offerProblems, offersOf } from "@/lib/shared/prices/offers";
import { otherDifferences } from "@/lib/shared/prices/price-differences";
import { readPriceList } from "@/lib/shared/prices/read-price-list";
import { anyKept, anyList, anyTerms } from "./any-price-list";
import { dataExcerpts, mapExcerpts } from "./price-list-excerpts";

type Route = Partial<AdminModel["routes"][number]>;

function model(
  alias: string,
  more: Partial<Omit<AdminModel, "routes">> & { routes?: Route[] } = {},
): AdminModel {
  const { routes = [], ...others } = more;
  return {
    id: alias,
    alias,
    kind: "generation",
    prices: null,
    contextWindow: null,
    maxOutputTokens: null,
    ...others,
    routes: routes.map((route) => ({ node: "n", model: "m", cost: null, ...route })),
  } as unknown as AdminModel; // the fields that offers read
}

function entriesOf(list: unknown): ListEntry[] {
  const read = readPriceList(typeof list === "string" ? list : JSON.stringify(list));
  if ("problem" in read) throw new Error(read.problem.kind);
  return read.entries;
}

function priced(name: string, dollarsPerMillion = 1) {
  const cost = dollarsPerMillion / 1_000_000;
  return { [name]: { input_cost_per_token: cost, output_cost_per_token: cost } };
}

const plain = { rate: "1", markup: "0" };
const onlyOffer = (models: AdminModel[], list: unknown, terms = plain) => {
  const [offer] = offersOf(models, entriesOf(list), terms);
  if (offer === undefined) throw new Error("no offer");
  return offer;
};

describe("a price list", () => {
  it("is read as a map of models, without entries that have no prices of tokens", () => {
    const text = `{
      "sample": "a sentence", "none": null, "list": [1],
      "image": {"output_cost_per_image": 0.04}, "minus": {"input_cost_per_token": -1}, "text": {"input_cost_per_token": "x"},
      "openai/gpt-x": {"input_cost_per_token": 2.5e-06, "output_cost_per_token": 0.00001, "cache_read_input_token_cost": 7.5e-8,
        "cache_creation_input_token_cost": 0, "max_input_tokens": 128000, "max_output_tokens": "many"}
    }`;
    const [entry, ...others] = entriesOf(text);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ name: "openai/gpt-x", contextWindow: 128_000, maxOutputTokens: null });
    const rates = Object.entries(entry?.rates ?? {}).map(([name, rate]) => [name, Number(rate)]);
    expect(Object.fromEntries(rates)).toEqual({ input: 2.5, output: 10, cacheRead: 0.075 });
  });

  it("is read as a list with prices as text below data", () => {
    const data = [
      { id: "router", pricing: { prompt: "-1", completion: "-1" } },
      { id: "bare" },
      {
        id: "maker/model-1",
        pricing: { prompt: "0.00000125", completion: "0.00001", input_cache_read: "0.000000125" },
        context_length: 400_000,
        top_provider: { max_completion_tokens: 128_000 },
      },
    ];
    expect(entriesOf({ data })).toMatchObject([
      { name: "maker/model-1", contextWindow: 400_000, maxOutputTokens: 128_000 },
    ]);
    expect(onlyOffer([model("model-1")], { data }, { rate: "7.2", markup: "0" }).prices).toEqual({
      input: 900,
      output: 7200,
      cacheRead: 90,
      cacheWrite: 900,
    });
  });

  it("says what keeps a text from being one", () => {
    const problemOf = (text: string) => {
      const read = readPriceList(text);
      return "problem" in read ? read.problem : null;
    };
    expect(problemOf(" ")).toEqual({ kind: "empty" });
    expect(problemOf('{"a": 1,\n "b" 2}')).toEqual({ kind: "json", line: 2, column: 6, found: "2" });
    expect(problemOf('{"a": 1')).toMatchObject({ kind: "jsonEnd", line: 1, column: 8 });
    for (const text of ["[]", "7", '"text"', "null"]) expect(problemOf(text)).toEqual({ kind: "form" });
    for (const text of ["{}", '{"data": []}', '{"a": {"b": 1}}'])
      expect(problemOf(text)).toEqual({ kind: "noPrices" });
  });
});

describe("an offer", () => {
  it("has exact prices with at most five decimals of a yuan, rounded to the nearest, halves up", () => {
    const offered = (dollars: string, rate: string, markup: string) =>
      onlyOffer(
        [model("m")],
        { data: [{ id: "m", pricing: { prompt: dollars, completion: "0" } }] },
        { rate, markup },
      ).prices.input;
    expect(offered("0.00000003", "7.1", "0")).toBe(21.3);
    expect(offered("0.000000000005", "1", "0"), "a half").toBe(0.001);
    expect(offered("0.00000000000499999999", "1", "0"), "less than a half").toBe(0);
    expect(offered("0.000003", "7.1234", "12.5")).toBe(2404.148);
    expect(offered("0.0000000833333333333333", "7.2", "0")).toBe(60);
    expect(onlyOffer([model("m")], priced("m", 0.1), { rate: "3", markup: "0" }).prices.input).toBe(30);
  });

  it("finds the upstream model, then the alias: as it stands, without provider, without date", () => {
    const nameFor = (upstream: string, ...names: string[]) =>
      offersOf(
        [model("alias", { routes: [{ model: upstream }] })],
        entriesOf(Object.assign({}, ...names.map((name) => priced(name)))),
        plain,
      )[0]?.name;
    expect(nameFor("gpt-x", "azure/gpt-x", "gpt-x", "alias")).toBe("gpt-x");
    expect(nameFor("gpt-x", "a/b/gpt-x", "openai/gpt-x")).toBe("openai/gpt-x");
    expect(nameFor("openai/GPT-x", "gpt-x")).toBe("gpt-x");
    expect(nameFor("gpt-x-2026-01-31", "gpt-x")).toBe("gpt-x");
    expect(nameFor("m-1", "m-1-20250101", "m-1@20260101")).toBe("m-1@20260101");
    expect(nameFor("other", "alias", "gpt-x")).toBe("alias");
    expect(nameFor("gpt-x-mini", "gpt-x", "gpt")).toBeUndefined();
  });

  it("tells each route its own cost, and keeps quiet about one that the list does not know", () => {
    const routes = [{ model: "big" }, { model: "house" }, { model: "small" }];
    const offer = onlyOffer(
      [model("alias", { routes })],
      { ...priced("big", 2), ...priced("small", 1) },
      {
        rate: "1",
        markup: "50",
      },
    );
    expect(offer.prices.input).toBe(300);
    expect(offer.costs.map((cost) => cost?.input ?? null)).toEqual([200, null, 100]);
    expect(changeBy(offer, false).costs).toEqual([0, 2]);
  });

  it("takes prices of input alone for embeddings only", () => {
    const list = { e: { input_cost_per_token: 1e-6 } };
    expect(offersOf([model("e")], entriesOf(list), plain)).toEqual([]);
    const { prices } = onlyOffer([model("e", { kind: "embedding" })], list);
    expect(prices).toEqual({ input: 100, output: 0, cacheRead: 100, cacheWrite: 100 });
  });

  it("changes limits that are set only when that is wanted, and nothing where all is the same", () => {
    const list = { m: { ...priced("m").m, max_input_tokens: 1000, max_output_tokens: 100 } };
    const prices = { input: 100, output: 100, cacheRead: 100, cacheWrite: 100 };
    const now = model("m", {
      prices: prices as AdminModel["prices"], // the fields that are compared
      contextWindow: 500,
      maxOutputTokens: 100,
      routes: [{ cost: { input: 100, output: 100 } }],
    });
    const offer = onlyOffer([now], list);
    expect(changeBy(offer, false)).toEqual({ prices: false, costs: [], limits: {} });
    expect(changesSomething(changeBy(offer, false))).toBe(false);
    expect(changeBy(offer, true).limits).toEqual({ contextWindow: 1000 });
    expect(changeBy({ ...offer, model: { ...now, contextWindow: null } }, false).limits).toEqual({
      contextWindow: 1000,
    });
  });

  it("marks prices that change more than fivefold", () => {
    const prices = { input: 10, output: 100, cacheRead: 100, cacheWrite: 100 };
    const offer = onlyOffer([model("m", { prices: prices as AdminModel["prices"] })], priced("m"));
    expect(offerProblems(offer)).toContainEqual({ kind: "jump", price: "input", before: 10, after: 100 });
  });
});

describe("an entry", () => {
  it.each(mapExcerpts)("of a map has prices of $what", ({ list, prices }) => {
    expect(onlyOffer([model("m")], list).prices).toEqual(prices);
  });

  it.each(dataExcerpts)("of a list has prices of $what", ({ list, prices }) => {
    expect(onlyOffer([model("m")], list).prices).toEqual(prices);
  });

  it("with more tiers than prices can have is left out", () => {
    const sizes = (...above: number[]) =>
      Object.fromEntries(above.map((size) => [`input_cost_per_token_above_${size}k_tokens`, size * 1e-6]));
    const list = {
      many: { ...priced("m").m, ...sizes(1, 2, 3, 4, 5) },
      four: { ...priced("m").m, ...sizes(1, 2, 3, 4) },
    };
    expect(entriesOf(list).map(({ name }) => name)).toEqual(["four"]);
  });

  it("tells embeddings the price of their input only", () => {
    const [{ list } = { list: {} }] = mapExcerpts;
    const { prices } = onlyOffer([model("m", { kind: "embedding" })], list);
    expect(prices).toEqual({ input: 300, output: 0, cacheRead: 300, cacheWrite: 300 });
  });
});

describe("what an offer keeps", () => {
  const now = {
    input: 1,
    output: 1,
    cacheRead: 1,
    cacheWrite: 1,
    audioInput: 5,
    perRequest: 7,
    perCall: { webSearch: 1, fileSearch: 2, codeInterpreter: null, imageGeneration: 3 },
    tiers: [{ above: 5, input: 2, output: 2 }],
    services: { priority: { factor: 2 }, batch: { factor: 0.5 } },
    windows: [{ from: "16:30", to: "00:30", timeZone: "UTC", factor: 0.5 }],
  };
  const list = {
    m: {
      ...priced("m").m,
      input_cost_per_token_priority: 2e-6,
      output_cost_per_token_priority: 2e-6,
      search_context_cost_per_query: { search_context_size_medium: 0.01 },
    },
  };
  const expected = {
    input: 100,
    output: 100,
    cacheRead: 100,
    cacheWrite: 100,
    perRequest: 7,
    perCall: { ...now.perCall, webSearch: 1_000_000 },
    services: { priority: { input: 200, output: 200 }, batch: { factor: 0.5 } },
    windows: now.windows,
  };

  it("is what the list says nothing of: calls, requests, service tiers and windows, of prices and costs", () => {
    const priceNow = now as unknown as AdminModel["prices"]; // the fields that are kept
    const offer = onlyOffer([model("m", { prices: priceNow, routes: [{ model: "m", cost: now }] })], list);
    expect(offer.prices).toEqual(expected);
    expect(offer.costs).toEqual([expected]);
    expect(otherDifferences(now, offer.prices)).toEqual({
      kinds: [{ kind: "audioInput", now: 5, after: null }],
      tiers: 0,
      services: ["priority"],
      calls: [{ tool: "webSearch", now: 1, after: 1_000_000 }],
      request: null,
    });
  });

  it("is no change where each kind costs the same: absent, null, its parent's price, in any order", () => {
    const same: DeclaredPrices[] = [
      { ...expected, reasoning: null, imageInput: 100, tiers: [] },
      {
        ...expected,
        services: { batch: { factor: 0.5 }, flex: null, priority: { output: 200, input: 200 } },
      },
      { ...expected, windows: now.windows.map((window) => ({ ...window, days: [7, 1, 2, 3, 4, 5, 6] })) },
    ];
    for (const cost of same)
      expect(
        changeBy(onlyOffer([model("m", { routes: [{ model: "m", cost }] })], list), false).costs,
      ).toEqual([]);
    const others: DeclaredPrices[] = [
      { ...expected, reasoning: 101 },
      { ...expected, tiers: [{ above: 9, input: 100, output: 100 }] },
      { ...expected, services: { ...expected.services, priority: { input: 200, output: 201 } } },
      { ...expected, perCall: { ...expected.perCall, webSearch: null } },
    ];
    for (const cost of others)
      expect(
        changeBy(onlyOffer([model("m", { routes: [{ model: "m", cost }] })], list), false).costs,
      ).toEqual([0]);
  });

  it("and what it tells are prices that the API takes, and that are none to change once they are taken", () => {
    fc.assert(
      fc.property(anyList, anyTerms, fc.option(anyKept), (listed, terms, kept) => {
        const prices = kept as unknown as AdminModel["prices"]; // the fields that are kept
        const [offer] = offersOf(
          [model("m", { prices, routes: [{ model: "m", cost: kept }] })],
          entriesOf(listed),
          terms,
        );
        for (const one of [offer?.prices, ...(offer?.costs ?? [])])
          expect(priceEntry.safeParse(one)).toMatchObject({ success: true });
        if (offer === undefined) throw new Error("no offer");
        const taken = {
          ...offer.model,
          prices: offer.prices,
          routes: [{ ...offer.model.routes[0], cost: offer.costs[0] }],
        };
        const again = changeBy({ ...offer, model: taken as unknown as AdminModel }, false);
        expect(again).toMatchObject({ prices: false, costs: [] });
      }),
      { numRuns: 300 },
    );
  });
});
