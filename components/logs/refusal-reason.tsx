"use client";

import { CircleHelp } from "lucide-react";
import { firstKeys } from "../api/first-keys";
import type { LogDetail } from "../api/types";
import { useRead } from "../api/use-read";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Note } from "../ui/states";
import { outcomeOf } from "./choices";

/** Why a request failed, was refused or broke off, with the limit that it met, and a remedy. */
export function RefusalReason(props: { entry: LogDetail }) {
  const text = useMessages("logs");
  const format = useFormat();
  const key = useRead("GET /api/user/tokens", firstKeys).data?.data.find(
    (candidate) => candidate.id === props.entry.tokenId,
  );
  const reasons: Record<string, string> = text.reasons;
  const unnamed: Record<string, string> = text.reasonsUnnamed;
  const single: Record<string, string> = text.reasonsSingle;
  const code = props.entry.errorCode ?? "";
  const { limit, budget } = props.entry;
  const named = code === "RATE_LIMITED" ? limit !== null : key !== undefined;
  const isBroken = props.entry.status === "interrupted";
  const message = isBroken
    ? text.broken[code === "INTERNAL_ERROR" || code === "INVALID_REQUEST" ? code : "other"]
    : ((budget === null ? undefined : text.reasonOfBudget) ??
      limitMessage(code === "RATE_LIMITED" ? limit : null, text.reasonsOfLimits) ??
      (named ? undefined : unnamed[code]) ??
      (props.entry.attemptCount === 1 ? single[code] : undefined) ??
      reasons[code] ??
      text.reasons.other);
  return (
    <Note tone="info" icon={CircleHelp}>
      <p className="font-medium">{text.detail.why[isBroken ? "interrupted" : outcomeOf(code)]}</p>
      <p>
        {fill(message, {
          name: budget?.name ?? "",
          limit: limit === null ? "?" : plural(text.limits[limit.name], limit.allowed, format.locale),
          keyUsed: key === undefined ? "?" : format.money(key.usedQuota),
          keyQuota: key === undefined ? "?" : format.money(key.quota),
        })}
      </p>
    </Note>
  );
}

type RefusingLimit = LogDetail["limit"];

/** What is said of limits of the account and of calls at once; undefined for others. */
function limitMessage(
  limit: RefusingLimit,
  text: Record<"account" | "concurrent" | "accountConcurrent", string>,
): string | undefined {
  if (limit?.level === "account") return limit.name === "concurrent" ? text.accountConcurrent : text.account;
  return limit?.name === "concurrent" ? text.concurrent : undefined;
}
