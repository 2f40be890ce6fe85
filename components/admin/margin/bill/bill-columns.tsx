"use client";

import { toScaled } from "@/lib/shared/decimal";
import type { Cause } from "@/lib/shared/provider-bills/bill-causes";
import type { ComparedRow, ComparedTotals } from "@/lib/shared/provider-bills/compare-bill";
import { fill } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import type { Sorting } from "../../../lists/row-order";
import type { Column } from "../../../ui/columns";
import { TextLink } from "../../../ui/link";
import { useCauseWords } from "./use-cause-words";

/** A figure on both sides, and what the bill has more; null: not known. */
interface Figure<Value> {
  there: Value | null;
  here: Value | null;
  difference: Value | null;
}

/** A row of the table, or their sum, which has no day and no cause. */
export interface ShownRow {
  id: string;
  model: string;
  aliases: string[];
  day: string | null;
  tokens: Figure<number>;
  cents: Figure<string>;
  cause: Cause | null;
}

/** A compared row as the table shows it. */
export function shownRow(row: ComparedRow): ShownRow {
  const { day, model, aliases, theirs, ours, difference, cause } = row;
  return {
    id: `${day} ${model}`,
    model,
    aliases,
    day,
    tokens: { there: theirs?.tokens ?? null, here: ours?.tokens ?? null, difference: difference.tokens },
    cents: { there: theirs?.cents ?? null, here: ours?.cents ?? null, difference: difference.cents },
    cause,
  };
}

/** The sum of all compared rows, those that are equal too. */
export function totalRow({ theirs, ours, difference }: ComparedTotals, name: string): ShownRow {
  return {
    id: "total",
    model: name,
    aliases: [],
    day: null,
    tokens: { there: theirs.tokens, here: ours.tokens, difference: difference.tokens },
    cents: { there: theirs.cents, here: ours.cents, difference: difference.cents },
    cause: null,
  };
}

const size = (value: bigint) => (value < 0n ? -value : value);

/** The newest day and the largest difference first. */
export const billSortings: Record<string, Sorting<ShownRow>> = {
  day: { first: "desc", by: ({ day }) => day },
  tokens: {
    first: "desc",
    by: ({ tokens }) => (tokens.difference === null ? null : Math.abs(tokens.difference)),
  },
  amount: {
    first: "desc",
    by: ({ cents }) => (cents.difference === null ? null : size(toScaled(cents.difference))),
  },
};

/** Model, day, both figures on both sides, and the likely cause. `all`: every row, so that amounts have equal decimals. */
export function useBillColumns(all: readonly ShownRow[], currency: string | null): Column<ShownRow>[] {
  const text = useMessages("providerBill");
  const format = useFormat();
  const amounts = all.flatMap(({ cents }) => Object.values(cents)).filter((cents) => cents !== null);
  const money = format.moneyColumn(amounts);
  const count = (tokens: number) => format.countFull(tokens).replace("-", "−");
  return [
    {
      id: "model",
      head: text.model,
      className: "min-w-36 wrap-anywhere",
      cell: ({ model, aliases }) => (
        <span className="grid gap-0.5">
          {model}
          {aliases.length > 0 && (
            <span className="text-xs font-normal text-muted">
              {fill(text.aliases, { names: format.list(aliases) })}
            </span>
          )}
        </span>
      ),
    },
    {
      id: "day",
      head: text.day,
      card: "corner",
      cell: ({ day }) => day !== null && <span className="tabular whitespace-nowrap">{day}</span>,
    },
    {
      id: "tokens",
      head: text.tokens,
      card: "wide",
      cell: ({ tokens }) => <FigureLines figure={tokens} print={count} />,
    },
    {
      id: "amount",
      head: text.amount,
      card: "wide",
      cell: ({ cents }) => <FigureLines figure={cents} print={money} exact={format.moneyExact} />,
    },
    {
      id: "cause",
      head: text.cause,
      card: "line",
      className: "min-w-48",
      cell: ({ cause }) => (cause === null ? null : <CauseText cause={cause} currency={currency} />),
    },
  ];
}

/** Bill, gateway and difference below each other; what neither side has is left out. */
function FigureLines<Value>(props: {
  figure: Figure<Value>;
  print: (value: Value) => string;
  exact?: (value: Value) => string;
}) {
  const text = useMessages("providerBill");
  const { figure, print, exact } = props;
  if (figure.there === null && figure.here === null) return "–";
  return (
    <span className="tabular grid w-fit grid-cols-[auto_auto] gap-x-3">
      {(["there", "here", "difference"] as const).map((side) => {
        const value = figure[side];
        return (
          <span key={side} className="contents">
            <span className="text-xs leading-5 font-normal text-muted">{text[side]}</span>{" "}
            <span
              className="text-right whitespace-nowrap"
              title={value === null ? undefined : exact?.(value)}
            >
              {value === null ? "–" : print(value)}
            </span>
          </span>
        );
      })}
    </span>
  );
}

function CauseText({ cause, currency }: { cause: Cause; currency: string | null }) {
  const wordsOf = useCauseWords(currency);
  if (cause.kind === "equal") return <span className="text-muted">{wordsOf(cause)}</span>;
  if (cause.kind !== "noCost") return wordsOf(cause);
  return <TextLink href="/admin/models?uncosted=true">{wordsOf(cause)}</TextLink>;
}
