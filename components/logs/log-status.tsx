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

type Ended = Pick<LogEntry, "status" | "httpStatus" | "errorCode">;

/** How a request ended: the value of the filter that finds such requests, and its word. */
export function useEnd(): (entry: Ended) => { value: keyof typeof tones; name: string } {
  const text = useMessages("logs");
  return ({ status, errorCode }) => {
    if (status !== "error") return { value: status, name: text.statuses[status] };
    const value = outcomeOf(errorCode ?? "");
    return { value, name: text.outcomes[value] };
  };
}

/** How a request ended in a word, and the HTTP status of what failed or was refused. */
export function LogStatus({ entry }: { entry: Ended }) {
  const { value, name } = useEnd()(entry);
  return (
    <Status tone={tones[value]} className="tabular whitespace-nowrap">
      {entry.status === "error" ? `${name} ${entry.httpStatus}` : name}
    </Status>
  );
}
