"use client";

import { CircleAlert, CircleCheck, CircleSlash, Unplug } from "lucide-react";
import type { LogEntry } from "../api/types";
import { useMessages } from "../i18n/provider";
import { Badge } from "../ui/badge";

const looks = {
  success: { tone: "success", icon: CircleCheck },
  error: { tone: "danger", icon: CircleAlert },
  cancelled: { tone: "neutral", icon: CircleSlash },
  interrupted: { tone: "warning", icon: Unplug },
} as const;

/** The status of a request: icon, text, and the HTTP status of a refusal. */
export function LogStatusBadge(props: { entry: Pick<LogEntry, "status" | "httpStatus"> }) {
  const text = useMessages("logs");
  const { tone, icon } = looks[props.entry.status];
  return (
    <Badge tone={tone} icon={icon}>
      {text.statuses[props.entry.status]}
      {props.entry.status === "error" && <span className="tabular">{props.entry.httpStatus}</span>}
    </Badge>
  );
}
