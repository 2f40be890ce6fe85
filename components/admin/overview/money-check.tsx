"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { MINUTE_MS } from "@/lib/kernel/clock";
import { callApi } from "../../api/client";
import { ErrorPanel } from "../../api/error-panel";
import { fromScaled } from "../../i18n/decimal";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Note, Skeleton } from "../../ui/states";
import { adminKeys } from "../queries";
import type { Reconciliation } from "../types";

const CHECK_IS_CURRENT_MS = 5 * MINUTE_MS;

/** A micro-cent in the scale of `fromScaled`. */
const MICRO = 1_000_000n;

/** Runs a reconciliation when the page opens, and again on demand, and shows whether every balance is correct. */
export function MoneyCheck() {
  const text = useMessages("admin").overview;
  const check = useQuery({
    queryKey: [...adminKeys.all, "reconcile"],
    queryFn: ({ signal }) => callApi("GET /api/admin/reconcile", { signal }),
    staleTime: CHECK_IS_CURRENT_MS,
    refetchOnWindowFocus: false,
  });
  return (
    <Card
      title={text.reconcile}
      actions={
        <Button size="sm" disabled={check.isFetching} onClick={() => check.refetch()}>
          {text.reconcileRun}
        </Button>
      }
    >
      <p className="mb-3 text-sm text-muted">{text.reconcileHint}</p>
      <div aria-live="polite" className="empty:hidden">
        {check.isPending && !check.isError && <Skeleton className="h-11" />}
        {check.isError && <ErrorPanel error={check.error} />}
        {check.data !== undefined && <Verdict found={check.data} />}
      </div>
    </Card>
  );
}

function Verdict(props: { found: Reconciliation }) {
  const text = useMessages("admin").overview;
  const format = useFormat();
  const { found } = props;
  const cents = (microCents: string) => fromScaled(BigInt(microCents) * MICRO);
  return (
    <Note tone={found.ok ? "success" : "danger"} icon={found.ok ? CircleCheck : CircleX}>
      <p className="font-medium">
        {found.ok
          ? fill(text.reconcileOk, { amount: format.moneyExact(cents(found.usedMicroCents)) })
          : plural(text.reconcileBad, found.mismatches.length, format.locale)}
      </p>
      {found.openHolds > 0 && (
        <p>
          {plural(text.reconcileHolds, found.openHolds, format.locale, {
            held: format.money(cents(found.heldMicroCents)),
          })}
        </p>
      )}
      {found.mismatches.length > 0 && (
        <ul className="mt-1 list-disc pl-4 font-mono text-xs">
          {found.mismatches.map((mismatch) => (
            <li key={`${mismatch.kind} ${mismatch.id}`} className="break-all">
              {mismatch.kind} {mismatch.id}: {mismatch.counterMicroCents} ≠ {mismatch.sumMicroCents}
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}
