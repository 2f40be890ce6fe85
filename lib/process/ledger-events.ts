import type { LedgerEvent } from "@/lib/billing/ledger-event";
import type { Log } from "@/lib/ops/log";
import type { Metrics } from "@/lib/ops/metrics";

/** Turns what the ledger reports into log lines and metrics. */
export function onLedgerEvent(event: LedgerEvent, log: Log, metrics: Metrics): void {
  switch (event.kind) {
    case "overrun":
      metrics.overran(event.model, event.microCents);
      return;
    case "replayed":
      log.info({ count: event.count }, "spooled settlements reached the database");
      return;
    case "spooled":
      log.warn({ requestId: event.requestId, err: event.cause }, "a settlement went to the spool");
      return;
    case "release_queued":
      log.warn(
        { requestId: event.requestId, err: event.cause },
        "a hold of unknown outcome will be given back",
      );
      return;
    case "spool_torn":
      log.warn({ files: event.files }, "the spool ended in a torn record; it was cut there");
      return;
    case "spool_refused":
      log.error(
        { requestId: event.requestId, err: event.cause },
        "a spooled settlement is refused; it is kept in the spool",
      );
      return;
    case "spool_failed":
      log.error({ err: event.cause }, "the spool takes no more");
      return;
  }
}
