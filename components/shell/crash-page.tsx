"use client";

import { useMessages } from "../i18n/provider";
import { MessagePage } from "./message-page";

/** Replaces a part that crashed. Every page loads it, so it has few dependencies. */
export function CrashPage(props: { error: unknown; retry: () => void }) {
  const text = useMessages("common");
  const digest =
    typeof props.error === "object" && props.error !== null && "digest" in props.error
      ? String(props.error.digest)
      : "";
  return (
    <MessagePage
      code={digest}
      title={text.errors.title}
      body={text.errors.crashedBody}
      actions={
        <>
          <button
            type="button"
            onClick={props.retry}
            className="h-9 rounded-md bg-primary px-4 font-medium text-on-primary hover:bg-primary-strong"
          >
            {text.retry}
          </button>
          {/* After a crash a full page load is safer than client-side navigation. */}
          <a
            href="/console"
            className="inline-flex h-9 items-center rounded-md border px-4 font-medium hover:bg-hover"
          >
            {text.console}
          </a>
        </>
      }
    />
  );
}
