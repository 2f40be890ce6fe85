"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import { useEffect } from "react";
import { ErrorPanel } from "../api/error-panel";
import { useShell } from "../api/shell-facts";
import type { LogDetail } from "../api/types";
import { useRead } from "../api/use-read";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { Drawer } from "../ui/drawer";
import { dialogIsOpen, isTyping } from "../ui/shortcuts";
import { SkeletonRows } from "../ui/states";
import { asCurl } from "./as-curl";
import { LogDetailView } from "./log-detail-view";
import type { LogRow, LogSource } from "./log-rows";
import type { UrlLogFilters } from "./use-log-filters";

/** The details of a request over the list; its URL can be shared and Back closes it. */
export function LogDrawer(props: { rows: LogRow[]; filters: UrlLogFilters; source: LogSource }) {
  const text = useMessages("logs").detail;
  const common = useMessages("common");
  const { shortcuts } = useShell();
  const { url, open: openRequest } = props.filters;
  const open = url.request !== null;
  const detail = useRead(
    `GET ${props.source.logs}/{requestId}`,
    { params: { requestId: url.request ?? "" } },
    { enabled: open },
  );
  const position = props.rows.findIndex((row) => row.requestId === url.request);
  const previous = props.rows[position - 1];
  const next = position === -1 ? undefined : props.rows[position + 1];
  const go = (row: LogRow | undefined) => row && openRequest(row.requestId, { history: "replace" });
  useEffect(() => {
    if (!open || !shortcuts) return;
    function onKey(event: KeyboardEvent) {
      if (isTyping(event) || dialogIsOpen() || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "j") void go(next);
      if (event.key === "k") void go(previous);
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
  return (
    <Drawer
      open={open}
      inHistory
      rowId={url.request}
      onClose={() => void openRequest(null)}
      title={text.title}
      actions={
        <>
          <Button
            variant="ghost"
            size="icon"
            aria-label={text.previous}
            title={`${text.previous} (k)`}
            aria-disabled={previous === undefined}
            onClick={() => go(previous)}
          >
            <ChevronUp aria-hidden className="size-4" />
          </Button>
          <Button
            variant="ghost"
            size="icon"
            aria-label={text.next}
            title={`${text.next} (j)`}
            aria-disabled={next === undefined}
            onClick={() => go(next)}
          >
            <ChevronDown aria-hidden className="size-4" />
          </Button>
        </>
      }
      footer={detail.data !== undefined && <Copies detail={detail.data} />}
    >
      {detail.isError && (
        <ErrorPanel error={detail.error} wanted={url.request} onRetry={() => detail.refetch()} />
      )}
      {detail.isPending && open && <SkeletonRows label={common.loading} rows={6} height="h-10" />}
      {detail.data !== undefined && (
        <div className="grid gap-6">
          <LogDetailView entry={detail.data} />
        </div>
      )}
    </Drawer>
  );
}

function Copies(props: { detail: LogDetail }) {
  const text = useMessages("logs").detail;
  const { publicUrl } = useShell();
  return (
    <>
      <CopyButton text={asCurl(props.detail, publicUrl)} label={text.copyCurl} />
      <CopyButton text={JSON.stringify(props.detail, null, 2)} label={text.copyJson} />
    </>
  );
}
