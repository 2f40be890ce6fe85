"use client";

import type { PricedTool } from "@/lib/kernel/usage";
import { toScaled } from "@/lib/shared/decimal";
import type { LogDetail } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";

type Tier = LogDetail["receipt"]["tier"];

/** The words for what chose the prices of a receipt. */
function useTierWords(): (tier: Tier) => string[] {
  const { tiers } = useMessages("logs").detail;
  const format = useFormat();
  return (tier) => {
    if (tier === null) return [];
    const { service, window, above } = tier;
    return [
      ...(service === null ? [] : [tiers[service]]),
      ...(above === null ? [] : [fill(tiers.above, { tokens: format.countFull(above) })]),
      ...(window === null ? [] : [fill(tiers.window, { n: window + 1 })]),
    ];
  };
}

/** The exact calculation of a cost. */
export function ReceiptView(props: { entry: LogDetail }) {
  const text = useMessages("logs").detail;
  const tools = useMessages("common").hostedTools;
  const format = useFormat();
  const tierWords = useTierWords();
  const { receipt, usageSource, httpStatus } = props.entry;
  const print = format.exactColumn([...receipt.lines.map((line) => line.amount), receipt.total]);
  const tier = tierWords(receipt.tier);
  const callName = (kind: PricedTool | "request") => (kind === "request" ? text.lines.request : tools[kind]);
  const free = !receipt.billed && httpStatus >= 500;
  return (
    <div className="grid gap-2 text-sm">
      <table className="w-full">
        <caption className="sr-only">{text.cost}</caption>
        <tbody>
          {receipt.lines.map((line) => (
            <tr key={line.kind}>
              <th scope="row" className="py-1 pr-2 text-left font-normal text-muted">
                {"calls" in line ? callName(line.kind) : [text.lines[line.kind], ...tier].join(" · ")}
              </th>
              <td className="py-1 pr-2 text-right">
                {"calls" in line
                  ? fill(text.callLine, {
                      calls: format.countFull(line.calls),
                      price: format.moneyExact(line.centsPerCall),
                    })
                  : fill(text.line, {
                      tokens: format.countFull(line.tokens),
                      price: format.moneyExact(line.centsPerMillion),
                    })}
              </td>
              <td className="py-1 text-right whitespace-nowrap">{print(line.amount)}</td>
            </tr>
          ))}
          <tr className="border-t font-medium">
            <th scope="row" className="py-1.5 text-left">
              {text.total}
            </th>
            <td />
            <td className="py-1.5 text-right">{print(receipt.total)}</td>
          </tr>
        </tbody>
      </table>
      {receipt.cacheSaving !== null && toScaled(receipt.cacheSaving) !== 0n && (
        <p>
          {fill(toScaled(receipt.cacheSaving) > 0n ? text.cacheSaved : text.cacheExtra, {
            amount: format.moneyExact(receipt.cacheSaving.replace("-", "")),
          })}
        </p>
      )}
      {free && <p>{fill(text.serverErrors, { zero: format.money("0") })}</p>}
      {receipt.wouldHaveCost !== null && toScaled(receipt.wouldHaveCost) > 0n && (
        <p className="text-muted">
          {fill(text.wouldHave, { cost: format.moneyExact(receipt.wouldHaveCost) })}
        </p>
      )}
      <p className="text-xs text-muted">
        {[
          fill(text.held, { held: format.moneyExact(receipt.held) }),
          // A request that met no model has neither.
          ...(receipt.priceVersion > 0 ? [fill(text.priceVersion, { version: receipt.priceVersion })] : []),
          ...(usageSource === "none"
            ? []
            : [fill(text.usageSource, { source: text.usageSources[usageSource] })]),
        ].join(" · ")}
      </p>
    </div>
  );
}
