import type { ApiInput } from "@/lib/api/routes";
import { typedText } from "../../forms/typed";
import { fromScaled, toScaled } from "../../i18n/decimal";
import type { TokenPrices } from "./price-check";
import { priceNames } from "./price-units";

/** What several models are changed to. */
export type ModelsChange = Omit<ApiInput<"PATCH /api/admin/models">["body"], "ids">;

/** A factor as the API takes it; what cannot be read stays as typed. */
export function priceFactorOf(typed: string): number | string | undefined {
  const text = typed.trim().replace(/^[×x*]\s*/i, "");
  return /^\d{1,3}([.,]\d{1,4})?$/.test(text) ? Number(text.replace(",", ".")) : typedText(typed);
}

/** A thousandth of a cent per million tokens: prices have no smaller part. */
const PRICE_STEP = toScaled("0.001");
const FACTOR_UNITS = 10_000;

/** Prices times a factor, rounded as the server rounds them. Units: cents per million tokens. */
export function scaledPrices(prices: TokenPrices, factor: number): TokenPrices {
  const units = BigInt(Math.round(factor * FACTOR_UNITS));
  const whole = PRICE_STEP * BigInt(FACTOR_UNITS);
  const scaled = (price: number) =>
    Number(fromScaled(((toScaled(price) * units * 2n + whole) / (2n * whole)) * PRICE_STEP));
  const [input, output, cacheRead, cacheWrite] = priceNames.map((name) => scaled(prices[name]));
  return { input, output, cacheRead, cacheWrite } as TokenPrices; // each name has a price
}
