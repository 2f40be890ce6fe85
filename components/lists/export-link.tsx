"use client";

import { Download } from "lucide-react";
import { type Query, withQuery } from "../api/client";
import { useFormat, useMessages } from "../i18n/provider";
import { buttonClass } from "../ui/button";

/** Downloads what is filtered as CSV that Excel reads; the file is named by days of the reader's zone. */
export function ExportLink(props: { path: `/api/${string}/export`; query: Query; hint?: string }) {
  const text = useMessages("common");
  const { timeZone } = useFormat();
  return (
    <a
      className={buttonClass()}
      title={props.hint}
      href={withQuery(props.path, { ...props.query, tz: timeZone, bom: true })}
      download
    >
      <Download aria-hidden className="size-4" />
      {text.downloadCsv}
    </a>
  );
}
