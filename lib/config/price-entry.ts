import { z } from "zod";
import { isTimeZone } from "@/lib/kernel/time-zone";
import { isPrice, MAX_PRICE_CENTS } from "@/lib/shared/prices/cents-per-million";
import {
  type DeclaredChange,
  type DeclaredPrices,
  MAX_TIERS,
  MAX_WINDOWS,
} from "@/lib/shared/prices/declared-prices";
import { FACTOR_UNITS } from "@/lib/shared/prices/price-version";
import { tokenKinds } from "@/lib/shared/prices/token-kinds";
import { whole } from "./fields";

/** The highest price of a call or of a request. Units: micro-cents. */
const MAX_MICRO_CENTS = 1_000_000_000_000;

const MAX_FACTOR = 100;

const price = z
  .number()
  .refine(isPrice, "must be cents per million tokens, from 0 to 1000000000 with at most 3 decimals")
  .meta({ minimum: 0, maximum: MAX_PRICE_CENTS, multipleOf: 0.001 });

const childPrice = (description: string) => price.nullish().describe(description);

const childRates = {
  cacheRead: childPrice("Tokens read from a cache; absent or null: the price of `input`"),
  cacheWrite: childPrice("Tokens written to a cache; absent or null: the price of `input`"),
  cacheWrite1h: childPrice(
    "Tokens written to a cache for an hour; absent or null: the price of `cacheWrite`",
  ),
  audioInput: childPrice("Audio tokens of the prompt; absent or null: the price of `input`"),
  imageInput: childPrice("Image tokens of the prompt; absent or null: the price of `input`"),
  reasoning: childPrice("Reasoning tokens; absent or null: the price of `output`"),
  audioOutput: childPrice("Audio tokens of the answer; absent or null: the price of `output`"),
  imageOutput: childPrice("Image tokens of the answer; absent or null: the price of `output`"),
};

const rates = { input: price, output: price, ...childRates };

/** Prices of requests with longer prompts. */
export const sizeTier = z.strictObject({
  above: whole(1, 100_000_000).describe("The whole prompt has more tokens than this"),
  ...rates,
});

const tiers = z
  .array(sizeTier)
  .max(MAX_TIERS, `must have at most ${MAX_TIERS} entries`)
  .refine(
    (list) => list.every(({ above }, place) => place === 0 || above > (list[place - 1]?.above ?? 0)),
    "must be in ascending order of `above`",
  )
  .nullish()
  .describe(
    "Prices of requests with longer prompts; the last one whose `above` is exceeded applies to all of the request",
  );

const factor = z
  .number()
  .refine(isFactor, `must be a number from 0 to ${MAX_FACTOR} with at most 4 decimals`)
  .meta({ minimum: 0, maximum: MAX_FACTOR, multipleOf: 1 / Number(FACTOR_UNITS) });

function isFactor(value: number): boolean {
  return value >= 0 && value <= MAX_FACTOR && /^\d+(\.\d{1,4})?$/.test(String(value));
}

const changeFields = {
  factor: factor.nullish().describe("On all prices of tokens"),
  input: price.nullish(),
  output: price.nullish(),
  ...childRates,
  tiers,
};

type Change = z.infer<z.ZodObject<typeof changeFields>>;

/** A change is a factor, or prices in place of the others: with input and output, and without a factor. */
function checkChange({ value, issues }: { value: Change; issues: z.core.$ZodRawIssue[] }): void {
  const { factor: own, input, output, ...others } = value;
  const refuse = (path: string, message: string) =>
    issues.push({ code: "custom", input: value, path: [path], message });
  if (own == null) {
    if (input == null && output == null) refuse("factor", "is required, or input and output in place of it");
    else if (input == null) refuse("input", "is required beside output");
    else if (output == null) refuse("output", "is required beside input");
    return;
  }
  const prices = { input, output, ...pick(others) };
  const [also] = Object.entries(prices).find(([, given]) => given != null) ?? [];
  if (also !== undefined) refuse(also, "cannot stand beside a factor");
}

function pick(value: Omit<Change, "factor" | "input" | "output">) {
  const names = [...Object.keys(childRates), "tiers"] as (keyof typeof value)[];
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}

/** What a service tier changes. */
export const serviceChange = z.strictObject(changeFields).check(checkChange);

const begin = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time from 00:00 to 23:59, as HH:mm");

const end = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "must be a time from 00:00 to 24:00, as HH:mm");

/** A part of each week with other prices. */
export const priceWindow = z
  .strictObject({
    from: begin,
    to: end.describe("The end, not included; on the next day when it is not after `from`"),
    timeZone: z.string().refine(isTimeZone, "must be the name of a time zone, such as Asia/Shanghai"),
    days: z
      .array(whole(1, 7))
      .min(1, "must name at least one day")
      .max(7, "must name each day once")
      .refine((days) => new Set(days).size === days.length, "must name each day once")
      .nullish()
      .describe("Days on which it begins, 1 Monday to 7 Sunday; absent or null: every day"),
    ...changeFields,
  })
  .check(checkChange);

const callPrice = whole(0, MAX_MICRO_CENTS).nullable().default(null);

/**
 * The prices of one alias, or what a node charges. Units: cents per million tokens, micro-cents per call and request.
 * Source: docs/prices.md#fields.
 */
export const priceEntry = z
  .strictObject({
    ...rates,
    perCall: z
      .strictObject({
        webSearch: callPrice,
        fileSearch: callPrice,
        codeInterpreter: callPrice,
        imageGeneration: callPrice,
      })
      .optional()
      .describe("Micro-cents per call of a tool that the node runs; null: the tool may not be used"),
    perRequest: whole(0, MAX_MICRO_CENTS).nullish().describe("Micro-cents of each request beside its tokens"),
    tiers,
    services: z
      .strictObject({
        priority: serviceChange.nullish(),
        flex: serviceChange.nullish(),
        batch: serviceChange.nullish(),
      })
      .nullish()
      .describe("Prices of service tiers; one that is absent or null may not be asked for"),
    windows: z
      .array(priceWindow)
      .max(MAX_WINDOWS, `must have at most ${MAX_WINDOWS} entries`)
      .nullish()
      .describe("Prices of parts of the week; the first one that the time lies in applies"),
  })
  .check(({ value, issues }) => {
    if (isWithinBounds(value)) return;
    const message = "would make a price with its factors higher than prices can be";
    const part = factorOf(Object.values(value.services ?? {})) > 1 ? "services" : "windows";
    issues.push({ code: "custom", input: value, path: [part], message });
  });

/** The largest factor, at least 1. */
function factorOf(changes: readonly (DeclaredChange | null | undefined)[]): number {
  return Math.max(1, ...changes.map((change) => change?.factor ?? 1));
}

/**
 * False when a rate times the largest factors that may apply to it is higher than the highest price. A rate that is too high
 * by itself is refused where it stands.
 */
function isWithinBounds(prices: DeclaredPrices): boolean {
  const changes = [...Object.values(prices.services ?? {}), ...(prices.windows ?? [])].filter(
    (one) => one != null,
  );
  const factor = factorOf(Object.values(prices.services ?? {})) * factorOf(prices.windows ?? []);
  if (factor === 1) return true;
  const cards = [prices, ...changes].flatMap((card) => [card, ...(card.tiers ?? [])]);
  const highest = Math.max(...cards.flatMap((card) => tokenKinds.map((kind) => card[kind] ?? 0)));
  return highest * factor <= MAX_PRICE_CENTS;
}

/** Declared prices that have passed the schema. */
export type PriceEntry = z.infer<typeof priceEntry>;
