import { DAY_MS } from "@/lib/kernel/durations";
import { fromScaled, toScaled } from "../decimal";
import { isNothingHere, isNothingThere, type OurSide, type Side, type TheirSide } from "./bill-sides";

/** Why a row differs, as far as figures tell. `equal`: it does not. */
export type Cause =
  | { kind: "equal" }
  /** The model was not called through this gateway on any of the days. */
  | { kind: "notHere" }
  /** The bill does not name the model on any of the days. */
  | { kind: "missingThere" }
  /** The days from one to another agree as a sum. */
  | { kind: "dayEdge"; from: string; to: string }
  /** Tokens agree, prices do not. Unit: cents per million tokens, as decimal text. */
  | { kind: "price"; theirs: string; ours: string }
  /** One side has more tokens. */
  | { kind: "tokens"; more: "there" | "here"; tokens: number }
  /** Amounts differ, and the bill tells no tokens. */
  | { kind: "amount" }
  /** The amount is in a currency without a rate. */
  | { kind: "currency" }
  /** So many answered requests have no known cost. */
  | { kind: "noCost"; requests: number };

/** The days of one model. */
type Days = ReadonlyMap<string, Side>;

/** Two figures agree that differ by at most one of so many parts. */
const PARTS = 200n;
/** Amounts also agree that differ by at most a cent. */
const CENT = toScaled("1");
/** Days whose sums are compared with a day that differs. */
const NEIGHBOURS = [
  [-1, 0],
  [0, 1],
  [-1, 1],
] as const;
/** Sums of days leave at most one of so many parts of a day's difference. */
const LEFT_PARTS = 10n;

/** The likely cause of the difference of a model on a day, by all its days. Source: docs/prices.md#bill-causes. */
export function causeOf(day: string, days: Days): Cause {
  const { theirs, ours } = days.get(day) ?? { theirs: null, ours: null };
  const all = [...days.values()];
  const tokensAgree = agreeingTokens(theirs, ours);
  const centsAgree = agreeingCents(theirs, ours);
  const isOneSided = isNothingThere(theirs) !== isNothingHere(ours);
  if (isOneSided && all.every((side) => isNothingHere(side.ours))) return { kind: "notHere" };
  if (isOneSided && all.every((side) => side.theirs === null)) return { kind: "missingThere" };
  if (tokensAgree === false) {
    const difference = (theirs?.tokens ?? 0) - (ours?.tokens ?? 0);
    const more = difference > 0 ? "there" : "here";
    return dayEdge(day, days) ?? { kind: "tokens", more, tokens: Math.abs(difference) };
  }
  if (centsAgree === true || isNothingThere(theirs) || theirs?.amount == null) return { kind: "equal" };
  if (theirs.cents === null) return { kind: "currency" };
  if (ours !== null && lacksCost(ours)) return { kind: "noCost", requests: ours.uncosted };
  if (tokensAgree === null || ours === null) return dayEdge(day, days) ?? { kind: "amount" };
  return {
    kind: "price",
    theirs: perMillion(theirs.cents, theirs.tokens ?? 0),
    ours: perMillion(ours.cents, ours.tokens),
  };
}

/** More requests without a known cost than what counts as equal. */
function lacksCost({ cents, uncosted, requests }: OurSide): boolean {
  return cents === null || !agree(BigInt(requests), BigInt(requests - uncosted));
}

const MILLION = 1_000_000n;

function perMillion(cents: string | null, tokens: number): string {
  if (cents === null || tokens === 0) return "0";
  return fromScaled((toScaled(cents) * MILLION) / BigInt(tokens));
}

/**
 * Days next to each other, or all days together, whose sums agree, so that the bill seems to have days of another time
 * zone: what is left of the difference is little of the sum, and little of that of the day.
 */
function dayEdge(day: string, days: Days): Cause | null {
  const listed = [...days.keys()].sort();
  const byTokens = [...days.values()].every(({ theirs }) => theirs?.tokens !== null);
  const own = sumsOf([days.get(day)], byTokens);
  const ranges = NEIGHBOURS.map(([before, after]) => ({ from: moved(day, before), to: moved(day, after) }));
  ranges.push({ from: listed[0] ?? day, to: listed.at(-1) ?? day });
  for (const { from, to } of ranges) {
    const within = listed.filter((one) => from <= one && one <= to);
    const sums = sumsOf(
      within.map((one) => days.get(one)),
      byTokens,
    );
    if (within.length < 2 || own === null || sums === null || !agree(sums.theirs, sums.ours)) continue;
    if (size(sums.theirs - sums.ours) * LEFT_PARTS <= size(own.theirs - own.ours))
      return { kind: "dayEdge", from, to };
  }
  return null;
}

function moved(day: string, by: number): string {
  return new Date(Date.parse(day) + by * DAY_MS).toISOString().slice(0, 10);
}

/** Of tokens where the bill tells them of all days, else of amounts; null: one is not known. */
function sumsOf(
  sides: readonly (Side | undefined)[],
  byTokens: boolean,
): { theirs: bigint; ours: bigint } | null {
  const isUnknown = (side: Side | undefined) => side?.theirs?.cents === null || side?.ours?.cents === null;
  if (!byTokens && sides.some(isUnknown)) return null;
  const add = (read: (side: Side) => bigint) =>
    sides.reduce((all, side) => (side === undefined ? all : all + read(side)), 0n);
  const of = (side: TheirSide | OurSide | null) =>
    byTokens ? BigInt(side?.tokens ?? 0) : toScaled(side?.cents ?? "0");
  return { theirs: add(({ theirs }) => of(theirs)), ours: add(({ ours }) => of(ours)) };
}

/** Null: the bill tells none. */
function agreeingTokens(theirs: TheirSide | null, ours: OurSide | null): boolean | null {
  if (theirs === null) return (ours?.tokens ?? 0) === 0;
  if (theirs.tokens === null) return null;
  const pairs = [
    [theirs.inputTokens, ours?.inputTokens ?? 0],
    [theirs.outputTokens, ours?.outputTokens ?? 0],
  ] as const;
  return pairs.every(([there, here]) => there === null || agree(BigInt(there), BigInt(here)));
}

/** Null: one of both is not known. */
function agreeingCents(theirs: TheirSide | null, ours: OurSide | null): boolean | null {
  const [there, here] = [theirs === null ? "0" : theirs.cents, ours === null ? "0" : ours.cents];
  return there === null || here === null ? null : agreeCents(toScaled(there), toScaled(here));
}

function agreeCents(a: bigint, b: bigint): boolean {
  return size(a - b) <= CENT || agree(a, b);
}

function agree(a: bigint, b: bigint): boolean {
  const larger = size(a) > size(b) ? size(a) : size(b);
  return size(a - b) * PARTS <= larger;
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}
