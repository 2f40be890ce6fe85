"use client";

import { CircleHelp } from "lucide-react";
import { useKeys, usePlans } from "../api/queries";
import type { LogDetail } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Note } from "../ui/states";
import { outcomeOf } from "./choices";

/** Why a request failed or was refused, with the limits of its key and plan, and a remedy. */
export function RefusalReason(props: { entry: LogDetail }) {
  const text = useMessages("logs");
  const common = useMessages("common");
  const format = useFormat();
  const key = useKeys().data?.data.find((candidate) => candidate.id === props.entry.tokenId);
  const plan = usePlans().data?.data.find((candidate) => candidate.id === key?.planId);
  const reasons: Record<string, string> = text.reasons;
  const unnamed: Record<string, string> = text.reasonsUnnamed;
  const code = props.entry.errorCode ?? "";
  const named = key !== undefined && plan !== undefined;
  const message = (named ? undefined : unnamed[code]) ?? reasons[code] ?? text.reasons.other;
  const limit = (value: number | null | undefined) =>
    value === undefined ? "?" : value === null ? common.unlimited : format.countFull(value);
  return (
    <Note tone="info" icon={CircleHelp}>
      <p className="font-medium">{text.detail.why[outcomeOf(code)]}</p>
      <p>
        {fill(message, {
          plan: plan?.name ?? "?",
          qps: limit(plan?.qps),
          rpm: limit(plan?.rpm),
          tpm: limit(plan?.tpm),
          keyUsed: key === undefined ? "?" : format.money(key.usedQuota),
          keyQuota: key === undefined ? "?" : format.money(key.quota),
        })}
      </p>
    </Note>
  );
}
