"use client";

import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Note } from "../ui/states";
import { ApiError } from "./client";
import { Countdown } from "./countdown";
import { errorMessage } from "./error-message";

/** An error message with the request id and a button to try again. */
export function ErrorPanel(props: {
  error: unknown;
  onRetry?: () => void;
  /** An alternative when trying again may not help. */
  action?: ReactNode;
  dataFrom?: number;
  /** The shown data belongs to another selection than the failed one. */
  otherSelection?: boolean;
  /** The error of a call to the model API, with a key. */
  ofModelCall?: boolean;
  className?: string;
}) {
  const text = useMessages("common");
  const format = useFormat();
  const { error } = props;
  const api = error instanceof ApiError ? error : null;
  return (
    <Note
      tone="danger"
      icon={CircleAlert}
      role="alert"
      {...(props.className ? { className: props.className } : {})}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="grid gap-0.5">
          <p className="font-medium">{useErrorTitle(api, props.ofModelCall === true)}</p>
          <p>{errorMessage(error, text)}</p>
          {props.ofModelCall === true && api !== null && api.status >= 500 && <p>{text.errors.notBilled}</p>}
          {props.dataFrom !== undefined && props.dataFrom > 0 && (
            <p className="text-muted">
              {fill(props.otherSelection === true ? text.errors.otherData : text.errors.oldData, {
                time: format.time(new Date(props.dataFrom)),
              })}
            </p>
          )}
          {api?.requestId != null && (
            <p className="font-mono text-xs break-all text-muted">
              {text.requestId} {api.requestId}
            </p>
          )}
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

function useErrorTitle(error: ApiError | null, ofModelCall: boolean): string {
  const { errors } = useMessages("common");
  switch (error?.status) {
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
