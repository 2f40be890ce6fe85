"use client";

import type { LogEntry } from "../api/types";
import { useMessages } from "../i18n/provider";
import { Status, type StatusTone } from "../ui/status";
import { outcomeOf } from "./choices";

const tones: Record<Exclude<LogEntry["status"], "error"> | "failed" | "refused", StatusTone> = {
  success: "normal",
  failed: "danger",
  refused: "warning",
  cancelled: "off",
  interrupted: "danger",
};

/** How a request ended in a word, and the HTTP status of what failed or was refused. */
export function LogStatus(props: { entry: Pick<LogEntry, "status" | "httpStatus" | "errorCode"> }) {
  const text = useMessages("logs");
  const { status, httpStatus, errorCode } = props.entry;
  const end = status === "error" ? outcomeOf(errorCode ?? "") : status;
  return (
    <Status tone={tones[end]} className="tabular whitespace-nowrap">
      {status === "error"
        ? `${text.outcomes[outcomeOf(errorCode ?? "")]} ${httpStatus}`
        : text.statuses[status]}
    </Status>
  );
}
