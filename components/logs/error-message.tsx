"use client";

import type { LogDetail } from "../api/types";
import { useMessages } from "../i18n/provider";
import { ownMessage } from "./own-message";

/** What the caller was told: the gateway's own sentences in the reader's language, others as the API gave them. */
export function ErrorMessage({ entry }: { entry: LogDetail }) {
  const text = useMessages("logs").detail;
  const { errorMessage } = entry;
  if (errorMessage === null) return null;
  const own = ownMessage(errorMessage, text);
  return (
    <div className="grid gap-1 rounded-md bg-card p-2 text-sm wrap-anywhere">
      {own !== null ? (
        <p title={errorMessage}>{own}</p>
      ) : (
        <>
          <p className="text-xs text-muted">{text.apiMessage}</p>
          <p lang="en">{errorMessage}</p>
        </>
      )}
    </div>
  );
}
