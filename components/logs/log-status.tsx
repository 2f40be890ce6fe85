"use client";

import type { LogEntry } from "../api/types";
import { useMessages } from "../i18n/provider";
import { Status, type StatusTone } from "../ui/status";

const tones: Record<LogEntry["status"], StatusTone> = {
  success: "normal",
  error: "danger",
  cancelled: "off",
  interrupted: "warning",
};

/** The status of a request in a word, and the HTTP status of a refusal. */
export function LogStatus(props: { entry: Pick<LogEntry, "status" | "httpStatus"> }) {
  const text = useMessages("logs");
  const { status, httpStatus } = props.entry;
  return (
    <Status tone={tones[status]} className="tabular whitespace-nowrap">
      {text.statuses[status]}
      {status === "error" && ` ${httpStatus}`}
    </Status>
  );
}
