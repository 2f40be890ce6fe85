"use client";

import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { fill } from "../i18n/fill";
import type { Format } from "../i18n/format";
import type { Messages } from "../i18n/messages";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { CodeWords } from "../ui/code-words";
import { Note } from "../ui/states";
import { ApiError } from "./client";
import { Countdown } from "./countdown";
import { errorMessage } from "./error-message";
import { OFFLINE } from "./use-latest-data";

interface PanelProps {
  error: unknown;
  onRetry?: () => void;
  /** An alternative when trying again may not help. */
  action?: ReactNode;
  dataFrom?: number;
  /** The shown data belongs to another selection than the failed one. */
  otherSelection?: boolean;
  /** The error of a call to the model API, with a key. */
  ofModelCall?: boolean;
  /** The id of what was asked for: that it is not there concerns this one, not the request that has looked for it. */
  wanted?: string | null;
  className?: string;
}

/**
 * An error message with the request id and a button to try again. That the connection is gone is told by a toast, once
 * for all regions: one with older data only says from when they are.
 */
export function ErrorPanel(props: PanelProps) {
  if (props.error !== OFFLINE || (props.dataFrom ?? 0) === 0) return <Panel {...props} />;
  return (
    <div className="text-sm">
      <OldData {...props} />
    </div>
  );
}

function Panel(props: PanelProps) {
  const text = useMessages("common");
  const format = useFormat();
  const { error } = props;
  const api = error instanceof ApiError ? error : null;
  const own = api?.requestId == null ? null : `${text.requestId} ${api.requestId}`;
  const shownId = api?.status === 404 ? (props.wanted ?? own) : own;
  return (
    <Note
      tone={api?.reason === "time_too_long" ? "warning" : "danger"}
      icon={CircleAlert}
      role="alert"
      {...(props.className ? { className: props.className } : {})}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="grid gap-0.5">
          <p className="font-medium">{useErrorTitle(api, props.ofModelCall === true)}</p>
          <p>
            <CodeWords text={quotaMessage(api, text, format) ?? errorMessage(error, text)} />
          </p>
          {props.ofModelCall === true && api !== null && api.status >= 500 && <p>{text.errors.notBilled}</p>}
          <OldData {...props} />
          {shownId !== null && <p className="font-mono text-xs break-all text-muted">{shownId}</p>}
          {api?.status === 429 && api.retryAfterSeconds !== null && (
            <Countdown
              seconds={api.retryAfterSeconds}
              message={text.errors.rateRetry}
              over={text.errors.rateOver}
            />
          )}
        </div>
        {props.action}
        {props.onRetry !== undefined && (
          <Button size="sm" onClick={props.onRetry}>
            {text.retry}
          </Button>
        )}
      </div>
    </Note>
  );
}

/** From when the shown data are; nothing where there are none. */
function OldData({ dataFrom = 0, otherSelection = false }: PanelProps) {
  const { errors } = useMessages("common");
  const format = useFormat();
  if (dataFrom === 0) return null;
  return (
    <p className="text-muted">
      {fill(otherSelection ? errors.otherData : errors.oldData, { time: format.time(new Date(dataFrom)) })}
    </p>
  );
}

/** The refusal of a quota in the reader's language and unit: its message has cents. Null for any other. */
function quotaMessage(error: ApiError | null, text: Messages["common"], format: Format): string | null {
  const left = error?.status === 402 ? /(-?[\d.]+) cents are left/.exec(error.message)?.[1] : undefined;
  if (left === undefined) return null;
  const { quotaHeld, quotaLeft, quotaGone, quotaOverdrawn } = text.errors;
  const used = Number(left) < 0 ? quotaOverdrawn : Number(left) === 0 ? quotaGone : quotaLeft;
  return fill(error?.retryAfterSeconds != null ? quotaHeld : used, { left: format.left(left) });
}

function useErrorTitle(error: ApiError | null, ofModelCall: boolean): string {
  const { errors } = useMessages("common");
  if (error?.reason === "time_too_long") return errors.tooLongTitle;
  switch (error?.status) {
    case 400:
      return ofModelCall ? errors.refusedTitle : errors.title;
    case 401:
      return ofModelCall ? errors.keyRefusedTitle : errors.title;
    case 402:
      return errors.quotaTitle;
    case 403:
      return ofModelCall ? errors.keyForbiddenTitle : errors.forbiddenTitle;
    case 404:
      return errors.notFoundTitle;
    case 429:
      return errors.rateTitle;
    case 503:
      return error.code === "NO_AVAILABLE_NODE" ? errors.unavailableTitle : errors.title;
    default:
      return errors.title;
  }
}
