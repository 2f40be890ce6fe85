import fc from "fast-check";
import type { DeclaredPrices } from "@/lib/shared/prices/declared-prices";

const anyDollars = fc
  .integer({ min: 0, max: 100_000 })
  .chain((value) => fc.constantFrom(value * 1e-9, String(value * 1e-9), (value * 1e-9).toFixed(9)));

const mapNames = [
  "input_cost_per_token",
  "output_cost_per_token",
  "cache_read_input_token_cost",
  "cache_creation_input_token_cost",
  "cache_creation_input_token_cost_above_1hr",
  "input_cost_per_audio_token",
  "input_cost_per_image_token",
  "output_cost_per_reasoning_token",
  "output_cost_per_audio_token",
  "output_cost_per_image_token",
];

const anyMapModel = fc
  .record({
    usual: fc.record({ input_cost_per_token: anyDollars, output_cost_per_token: anyDollars }),
    others: fc.dictionary(
      fc
        .tuple(
          fc.constantFrom(...mapNames),
          fc.constantFrom("", "_above_128k_tokens", "_above_200k_tokens"),
          fc.constantFrom("", "_priority", "_flex", "_batches"),
        )
        .map((parts) => parts.join("")),
      anyDollars,
      { maxKeys: 30 },
    ),
    ranges: fc.option(
      fc.array(fc.record({ input_cost_per_token: anyDollars }), { minLength: 1, maxLength: 5 }),
    ),
    calls: fc.record({ input_cost_per_request: anyDollars }),
  })
  .map(({ usual, others, ranges, calls }) => ({
    m: {
      ...others,
      ...usual,
      ...calls,
      tiered_pricing: ranges?.map((range, place) => ({
        ...range,
        range: [place * 1000, (place + 1) * 1000],
      })),
    },
  }));

const dataNames = [
  "input_cache_read",
  "input_cache_write",
  "input_cache_write_1h",
  "audio",
  "internal_reasoning",
];

const anyDataModel = fc
  .record({
    usual: fc.record({ prompt: anyDollars, completion: anyDollars }),
    others: fc.dictionary(fc.constantFrom(...dataNames, "request", "web_search"), anyDollars),
    overrides: fc.array(
      fc.record({ min_prompt_tokens: fc.constantFrom(1000, 2000, 200_000), prompt: anyDollars }),
      { maxLength: 5 },
    ),
  })
  .map(({ usual, others, overrides }) => ({
    data: [{ id: "m", pricing: { ...others, ...usual, overrides } }],
  }));

/** A list of either form with one model, `m`, that has prices of tokens. */
export const anyList = fc.oneof(anyMapModel, anyDataModel);

/** How dollars become prices. */
export const anyTerms = fc.record({
  rate: fc.integer({ min: 1, max: 20_000_000 }).map((millionths) => (millionths / 1e6).toFixed(6)),
  markup: fc.integer({ min: 0, max: 1_000_000 }).map((thousandths) => (thousandths / 1e3).toFixed(3)),
});

const anyFactor = fc.integer({ min: 0, max: 100_000 }).map((units) => units / 10_000);

/** Prices in force with what lists cannot tell. */
export const anyKept: fc.Arbitrary<DeclaredPrices> = fc.record(
  {
    input: fc.integer({ min: 0, max: 1000 }),
    output: fc.integer({ min: 0, max: 1000 }),
    perRequest: fc.option(fc.integer({ min: 0, max: 1000 })),
    services: fc.option(
      fc.dictionary(fc.constantFrom("priority", "flex", "batch"), fc.record({ factor: anyFactor })),
    ),
    windows: fc.option(
      fc.array(
        fc.record({
          from: fc.constant("16:30"),
          to: fc.constant("00:30"),
          timeZone: fc.constant("UTC"),
          factor: anyFactor,
        }),
        {
          maxLength: 3,
        },
      ),
    ),
  },
  { requiredKeys: ["input", "output"] },
);
