"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { fromScaled } from "@/lib/shared/decimal";
import type { Reconciliation } from "../../api/admin/types";
import { callApi } from "../../api/client";
import { ErrorPanel } from "../../api/error-panel";
import { read, readKey } from "../../api/read";
import { useRead } from "../../api/use-read";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Note, Skeleton } from "../../ui/states";
import { CHECK_IS_CURRENT_MS, lastCheck } from "./reads";

/** A micro-cent in the scale of `fromScaled`. */
const MICRO = 1_000_000n;

/** Shows whether every balance was correct at the last check, and checks again on demand. */
export function MoneyCheck() {
  const text = useMessages("admin").overview;
  const format = useFormat();
  const client = useQueryClient();
  const last = useRead("GET /api/admin/reconcile", lastCheck, {
    staleTime: CHECK_IS_CURRENT_MS,
    refetchOnWindowFocus: false,
  });
  const check = useMutation({
    mutationFn: () => callApi("GET /api/admin/reconcile"),
    onSuccess: (found) => client.setQueryData(readKey(read("GET /api/admin/reconcile", lastCheck)), found),
  });
  const error = check.error ?? last.error;
  return (
    <Card
      title={text.reconcile}
      actions={
        <Button size="sm" disabled={last.isFetching || check.isPending} onClick={() => check.mutate()}>
          {text.reconcileRun}
        </Button>
      }
    >
      <p className="mb-3 text-sm text-muted">
        {text.reconcileHint}
        {format.gap}
        {last.data !== undefined && fill(text.reconcileAt, { time: format.dateTime(last.data.checkedAt) })}
      </p>
      <div aria-live="polite" className="empty:hidden">
        {last.isPending && <Skeleton className="h-11" />}
        {error !== null && <ErrorPanel error={error} />}
        {last.data !== undefined && <Verdict found={last.data} />}
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
