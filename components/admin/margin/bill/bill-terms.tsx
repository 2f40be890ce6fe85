"use client";

import { useMemo, useState } from "react";
import { DAY_MS } from "@/lib/kernel/durations";
import { providerOf } from "@/lib/protocols/profiles/provider";
import { toScaled } from "@/lib/shared/decimal";
import type { ProviderBill } from "@/lib/shared/provider-bills/bill";
import { billRange, billWithin } from "@/lib/shared/provider-bills/bill-range";
import { typedDecimal } from "@/lib/shared/typed";
import type { NodeView } from "../../../api/admin/types";
import { QueryRegion } from "../../../api/query-region";
import { useRead } from "../../../api/use-read";
import { fill, plural } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import { Card } from "../../../ui/card";
import { Checkbox, Field, Input } from "../../../ui/field";
import { EmptyState, Note } from "../../../ui/states";
import { BillResult } from "./bill-result";

/** The house's money. */
const YUAN = "CNY";

interface TermsProps {
  bill: ProviderBill;
  /** Yuan for one of the bill's currency, as typed. */
  rate: string;
  onRate: (typed: string) => void;
}

/** What was read, the nodes and the rate to compare it with, and the comparison. */
export function BillTerms(props: TermsProps) {
  const nodes = useRead("GET /api/admin/nodes", undefined, { refetchInterval: false, staleTime: DAY_MS });
  return <QueryRegion query={nodes}>{({ data }) => <Terms {...props} nodes={data} />}</QueryRegion>;
}

function Terms({ bill, nodes, rate: typed, onRate }: TermsProps & { nodes: NodeView[] }) {
  const text = useMessages("providerBill");
  const { now } = useFormat();
  const [chosen, setChosen] = useState(() => nodes.filter((node) => fits(node, bill)).map(({ id }) => id));
  const needsRate = bill.unit.money && bill.currency !== YUAN;
  const rate = needsRate ? rateOf(typed) : "1";
  const range = billRange(bill, now());
  const { from, to } = range;
  const compared = useMemo(() => billWithin(bill, { from, to }), [bill, from, to]);
  return (
    <>
      <Card title={text.terms}>
        <div className="grid gap-4">
          <Summary bill={bill} />
          {range.cut && <Note tone="info">{fill(text.cut, { from, to, days: range.mostDays })}</Note>}
          <NodeChoice bill={bill} nodes={nodes} chosen={chosen} onChosen={setChosen} />
          {needsRate && (
            <Field
              className="sm:max-w-80"
              label={fill(text.rate, { currency: bill.currency ?? "" })}
              hint={text.rateHint}
              errors={typed.trim() !== "" && rate === null ? [text.rateRule] : undefined}
            >
              {(control) => (
                <Input
                  {...control}
                  inputMode="decimal"
                  autoComplete="off"
                  value={typed}
                  onChange={({ target }) => onRate(target.value)}
                />
              )}
            </Field>
          )}
        </div>
      </Card>
      {chosen.length === 0 ? (
        <Card>
          <EmptyState title={nodes.length === 0 ? text.noNodes : text.chooseNodes} />
        </Card>
      ) : (
        <BillResult bill={compared} range={range} nodes={chosen} rate={rate} />
      )}
    </>
  );
}

/** Null: nothing, or no rate above 0. */
function rateOf(typed: string): string | null {
  const rate = typedDecimal(typed);
  return rate === null || toScaled(rate) === 0n ? null : rate;
}

/** An enabled node that calls the vendor. */
function fits(node: NodeView, { vendor }: ProviderBill): boolean {
  return node.enabled && providerOf(node).id === vendor;
}

function Summary({ bill }: { bill: ProviderBill }) {
  const text = useMessages("providerBill");
  const format = useFormat();
  const { rows, unit, currency, leftOut } = bill;
  const models = new Set(rows.map(({ model }) => model)).size;
  const told = [
    plural(text.models, models, format.locale),
    ...(unit.tokens ? [text.hasTokens] : []),
    ...(unit.money ? [fill(text.hasMoney, { currency: currency ?? "" })] : []),
  ];
  const days = { from: rows[0]?.day ?? "", to: rows.at(-1)?.day ?? "" };
  return (
    <div role="status" className="grid gap-1 text-sm">
      <p className="font-medium">{fill(text.summary, { vendor: text.vendors[bill.vendor], ...days })}</p>
      <p>{format.list(told)}</p>
      {leftOut > 0 && <p className="text-muted">{plural(text.leftOut, leftOut, format.locale)}</p>}
    </div>
  );
}

function NodeChoice(props: {
  bill: ProviderBill;
  nodes: NodeView[];
  chosen: string[];
  onChosen: (ids: string[]) => void;
}) {
  const text = useMessages("providerBill");
  const { nodes, chosen } = props;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">{text.nodes}</legend>
      <p className="text-xs text-muted">
        {fill(text.nodesHint, { vendor: text.vendors[props.bill.vendor] })}
      </p>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
        {nodes.map(({ id, name, enabled }) => (
          <Checkbox
            key={id}
            className="min-w-0 wrap-anywhere"
            label={enabled ? name : fill(text.disabledNode, { name })}
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              props.onChosen(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
