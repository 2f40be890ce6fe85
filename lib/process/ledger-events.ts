import type { LedgerEvent } from "@/lib/billing/ledger-event";
import type { Log } from "@/lib/ops/log";
import type { Metrics } from "@/lib/ops/metrics";

/** Turns the ledger's events into log lines and metrics. */
export function onLedgerEvent(event: LedgerEvent, log: Log, metrics: Metrics): void {
  switch (event.kind) {
    case "overrun":
      metrics.overran(event.model, event.microCents);
      return;
    case "replayed":
      log.info({ count: event.count }, "spooled settlements reached the database");
      return;
    case "spooled":
      log.warn({ requestId: event.requestId, err: event.cause }, "a settlement was written to the spool");
      return;
    case "release_queued":
      log.warn(
        { requestId: event.requestId, err: event.cause },
        "a hold of unknown outcome will be released",
      );
      return;
    case "spool_torn":
      log.warn({ files: event.files }, "the spool ended in a torn record, which was discarded");
      return;
    case "spool_refused":
      log.error(
        { requestId: event.requestId, err: event.cause },
        "the database refuses a spooled settlement; it is kept in refused.jsonl in the spool directory",
      );
      return;
    case "spool_failed":
      log.error({ err: event.cause }, "the spool has failed");
      return;
  }
}
