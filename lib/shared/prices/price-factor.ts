import { typedText } from "../typed";
import type { TokenPrices } from "./price-check";
import { priceNames } from "./price-units";
import { scaledRate } from "./scaled-prices";

/** The parts of a factor: hundredths of a percent. */
const FACTOR_UNITS = 10_000;

/** The factors that the API takes. */
const [LEAST_FACTOR, LARGEST_FACTOR] = [0.01, 100];

/**
 * The factor, as the API takes it, of a change that is typed in percent; what cannot be read or is out of range stays
 * as typed.
 */
export function priceFactorOf(typed: string): number | string | undefined {
  const [, sign, whole = "", part = ""] =
    /^([+−-]?)\s*(\d{1,4})(?:[.,](\d{1,2}))?\s*[%％]?$/.exec(typed.trim()) ?? [];
  if (whole === "") return typedText(typed);
  const change = Number(whole + part.padEnd(2, "0"));
  const factor = (FACTOR_UNITS + (sign === "" || sign === "+" ? change : -change)) / FACTOR_UNITS;
  return factor < LEAST_FACTOR || factor > LARGEST_FACTOR ? typedText(typed) : factor;
}

/** Prices times a factor, rounded as the server rounds them. Units: cents per million tokens. */
export function scaledPrices(prices: TokenPrices, factor: number): TokenPrices {
  const [input, output, cacheRead, cacheWrite] = priceNames.map((name) => scaledRate(prices[name], factor));
  return { input, output, cacheRead, cacheWrite } as TokenPrices; // each name has a price
}
