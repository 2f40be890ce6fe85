import { Check, TriangleAlert } from "lucide-react";
import { fromScaled, sumDecimals, toScaled } from "@/lib/shared/decimal";
import type { CatalogModel } from "../api/types";
import { fill } from "../i18n/fill";
import { formatDuration } from "../i18n/format";
import type { Locale } from "../i18n/locale";
import type { Messages } from "../i18n/messages";
import { formatCnyExact } from "../i18n/money";
import { cn } from "../ui/cn";
import styles from "./live-request.module.css";

type Text = Messages["site"]["live"];

/** The drawn request takes so long. */
const TOTAL_MS = 1_240;

interface Lane {
  name: keyof Text["lanes"];
  node: string | null;
  fromMs: number;
  toMs: number;
  /** When the first token came. */
  firstMs: number | null;
  failed: boolean;
}

const lanes: readonly Lane[] = [
  { name: "checks", node: null, fromMs: 0, toMs: 4, firstMs: null, failed: false },
  { name: "failed", node: "eu-west", fromMs: 4, toMs: 92, firstMs: null, failed: true },
  { name: "answered", node: "us-east", fromMs: 210, toMs: 1_236, firstMs: 430, failed: false },
  { name: "settled", node: null, fromMs: 1_236, toMs: TOTAL_MS, firstMs: null, failed: false },
];

/** What was read and written, by price. Units: tokens. */
const used = { input: 1_204, output: 356 } as const;

/** Shown where the gateway has no model. Units: cents per million tokens. */
const SAMPLE_PRICES = { input: 200, output: 800 };

/** A request as its log shows it: the call, the nodes that were tried, the answer and the receipt. Drawn, not live. */
export function LiveRequest(props: { text: Text; locale: Locale; model: CatalogModel | undefined }) {
  const { text, locale, model } = props;
  const receipt = receiptOf(model?.prices ?? SAMPLE_PRICES);
  const amount = formatCnyExact(receipt.total, locale);
  return (
    <figure className="min-w-0 overflow-hidden rounded-xl border bg-page shadow-float">
      <figcaption className="sr-only">{fill(text.caption, { amount })}</figcaption>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-card px-4 py-2 font-mono text-xs">
        <span className="font-semibold">POST</span>
        <span className="min-w-0 flex-1 break-all">/v1/chat/completions</span>
        {model !== undefined && <span className="text-muted break-all">{model.id}</span>}
        <span className="text-success">200</span>
      </div>
      <div className="grid gap-4 p-4 sm:p-6">
        <Timeline text={text} locale={locale} />
        <p className="rounded-md bg-card px-3 py-2 text-sm">{text.answer}</p>
        <Receipt text={text} locale={locale} receipt={receipt} />
      </div>
    </figure>
  );
}

function Timeline({ text, locale }: { text: Text; locale: Locale }) {
  return (
    <ol className="grid gap-2 text-xs">
      {lanes.map((lane, index) => (
        <li key={lane.name} className="grid grid-cols-[7.5rem_minmax(0,1fr)_3.5rem] items-center gap-2">
          <span className="flex min-w-0 items-center gap-1.5">
            {lane.failed ? (
              <TriangleAlert aria-hidden className="size-3.5 shrink-0 text-danger" />
            ) : (
              <Check aria-hidden className="size-3.5 shrink-0 text-success" />
            )}
            <span className="truncate">{lane.node ?? text.lanes[lane.name]}</span>
          </span>
          <span className="relative h-5 min-w-0 rounded-sm bg-card">
            <span
              className={cn(
                "absolute inset-y-0 min-w-[3px] rounded-sm",
                lane.failed ? "bg-danger" : "bg-primary",
                styles.grow,
              )}
              style={{
                left: share(lane.fromMs),
                width: share(lane.toMs - lane.fromMs),
                animationDelay: `${index * 250}ms`,
              }}
            />
            {lane.firstMs !== null && (
              <span
                className="absolute inset-y-0 w-px bg-on-primary"
                style={{ left: share(lane.firstMs) }}
                title={text.firstToken}
              />
            )}
          </span>
          <span className="tabular text-right text-muted">
            {formatDuration(lane.toMs - lane.fromMs, locale)}
          </span>
          {lane.node !== null && (
            <span className="col-span-3 -mt-1.5 pl-5 text-muted">{text.lanes[lane.name]}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

type TokenPrices = Pick<CatalogModel["prices"], "input" | "output">;

/** What the call costs by the prices of its model, line by line and in all. Units: cents. */
function receiptOf(prices: TokenPrices) {
  const lines = (["input", "output"] as const).map((part) => ({
    part,
    price: prices[part],
    cents: fromScaled((toScaled(prices[part]) * BigInt(used[part])) / 1_000_000n),
  }));
  return { lines, total: sumDecimals(lines.map(({ cents }) => cents)) };
}

/** The receipt with every digit, as in that of the log. */
function Receipt(props: { text: Text; locale: Locale; receipt: ReturnType<typeof receiptOf> }) {
  const { text, locale, receipt } = props;
  return (
    <dl className="tabular grid gap-1 border-t border-dashed pt-3 font-mono text-xs">
      {receipt.lines.map(({ part, price, cents }) => (
        <div key={part} className="flex flex-wrap justify-between gap-x-3">
          <dt className="text-muted">
            {text[part]} {used[part].toLocaleString("en")} × {formatCnyExact(price, locale)}/1M
          </dt>
          <dd>{formatCnyExact(cents, locale)}</dd>
        </div>
      ))}
      <div className="flex justify-between border-t pt-1 font-semibold">
        <dt>{text.total}</dt>
        <dd>{formatCnyExact(receipt.total, locale)}</dd>
      </div>
    </dl>
  );
}

function share(ms: number): string {
  return `${(ms / TOTAL_MS) * 100}%`;
}
