import {
  type CallPriceColumns,
  callPriceRecord,
  callPricesOf,
  type PricedTool,
  pricedServices,
} from "@/lib/kernel/usage";
import { centsPerMillion, nanoCentsFromCents } from "./cents-per-million";
import type {
  DeclaredCard,
  DeclaredChange,
  DeclaredPrices,
  DeclaredRates,
  DeclaredWindow,
} from "./declared-prices";
import {
  FACTOR_UNITS,
  type PriceChange,
  type Prices,
  type PriceWindow,
  type RateCard,
  type Rates,
} from "./price-version";
import { type ChildKind, childKinds } from "./token-kinds";

/** The members of a price that have no column of their own. */
export type MorePrices = Omit<DeclaredPrices, "input" | "output" | "cacheRead" | "cacheWrite" | "perCall">;

/** The columns of a price version. Units: nano-cents per token, micro-cents per call. */
export interface StoredPrice extends CallPriceColumns {
  inputNanoCents: bigint;
  outputNanoCents: bigint;
  cacheReadNanoCents: bigint | null;
  cacheWriteNanoCents: bigint | null;
  /** Null: none. */
  more: MorePrices | null;
}

/** The columns of declared prices. Throws: RangeError for what is no price. */
export function storedPriceOf(declared: DeclaredPrices): StoredPrice {
  const { input, output, cacheRead, cacheWrite, perCall, ...rest } = declared;
  const ofCall = (tool: PricedTool) => {
    const microCents = perCall?.[tool] ?? null;
    return microCents === null ? null : BigInt(microCents);
  };
  const more = withoutNothing(rest);
  return {
    inputNanoCents: nanoCentsFromCents(input),
    outputNanoCents: nanoCentsFromCents(output),
    cacheReadNanoCents: nanoCents(cacheRead),
    cacheWriteNanoCents: nanoCents(cacheWrite),
    webSearchMicroCents: ofCall("webSearch"),
    fileSearchMicroCents: ofCall("fileSearch"),
    codeInterpreterMicroCents: ofCall("codeInterpreter"),
    imageGenerationMicroCents: ofCall("imageGeneration"),
    more: Object.keys(more).length === 0 ? null : more,
  };
}

/** What was declared for a stored version. */
export function declaredPriceOf(stored: StoredPrice): DeclaredPrices {
  const { inputNanoCents, outputNanoCents, cacheReadNanoCents, cacheWriteNanoCents, more } = stored;
  const cents = (nano: bigint | null) => (nano === null ? null : centsPerMillion(nano));
  return {
    ...more,
    input: centsPerMillion(inputNanoCents),
    output: centsPerMillion(outputNanoCents),
    cacheRead: cents(cacheReadNanoCents),
    cacheWrite: cents(cacheWriteNanoCents),
    perCall: callPriceRecord(callPricesOf(stored)),
  };
}

/** The prices of a stored version, to bill by. */
export function pricesOf(stored: StoredPrice): Prices {
  const more = stored.more ?? {};
  const { inputNanoCents: input, outputNanoCents: output } = stored;
  const rates: Rates = {
    ...childRates(more),
    input,
    output,
    cacheRead: stored.cacheReadNanoCents,
    cacheWrite: stored.cacheWriteNanoCents,
  };
  const services = pricedServices.flatMap((service) => {
    const change = more.services?.[service];
    return change == null ? [] : [[service, changeOf(change)] as const];
  });
  return {
    rates,
    tiers: tiersOf(more),
    perCall: callPricesOf(stored),
    perRequest: BigInt(more.perRequest ?? 0),
    services: Object.fromEntries(services),
    windows: (more.windows ?? []).map(windowOf),
  };
}

/** The prices of what was declared, to bill by. Throws: RangeError for what is no price. */
export function pricesOfDeclared(declared: DeclaredPrices): Prices {
  return pricesOf(storedPriceOf(declared));
}

function nanoCents(cents: number | null | undefined): bigint | null {
  return cents == null ? null : nanoCentsFromCents(cents);
}

function childRates(declared: Partial<DeclaredRates>): Record<ChildKind, bigint | null> {
  const rates = childKinds.map((kind) => [kind, nanoCents(declared[kind])] as const);
  return Object.fromEntries(rates) as Record<ChildKind, bigint | null>; // each kind has an entry
}

function ratesOf(declared: DeclaredRates): Rates {
  const { input, output } = declared;
  return { ...childRates(declared), input: nanoCentsFromCents(input), output: nanoCentsFromCents(output) };
}

function tiersOf({ tiers }: Pick<DeclaredCard, "tiers">): RateCard["tiers"] {
  return (tiers ?? []).map((tier) => ({ above: tier.above, rates: ratesOf(tier) }));
}

function changeOf({ factor, input, output, ...others }: DeclaredChange): PriceChange {
  if (input != null && output != null)
    return { rates: ratesOf({ ...others, input, output }), tiers: tiersOf(others) };
  return { factor: BigInt(Math.round((factor ?? 1) * Number(FACTOR_UNITS))) };
}

const everyDay = [1, 2, 3, 4, 5, 6, 7];

function windowOf(declared: DeclaredWindow): PriceWindow {
  const { from, to, timeZone, days } = declared;
  const change = changeOf(declared);
  return { timeZone, days: days ?? everyDay, fromMinute: minutesOf(from), toMinute: minutesOf(to), change };
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/** The value without members, at any depth, that are absent, null, or empty lists or objects. */
function withoutNothing<T extends object>(value: T): T {
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => [name, contentOf(member)]);
  return Object.fromEntries(members.filter(([, content]) => content !== null)) as T;
}

function contentOf(member: unknown): unknown {
  if (Array.isArray(member))
    return member.length === 0 ? null : member.map((entry: unknown) => contentOf(entry));
  if (typeof member !== "object" || member === null) return member ?? null;
  const content = withoutNothing(member);
  return Object.keys(content).length === 0 ? null : content;
}
