import type { Runtime } from "@/lib/gateway/runtime";
import { nodeReport } from "@/lib/router/health-report";

/** Registers the gauges that are read at each scrape. Source: docs/contract.md#s9. */
export function registerGauges(runtime: Runtime): void {
  const { metrics, drain, ledger, limiter, health, catalog } = runtime;
  metrics.gauge("requests_in_flight", "Requests begun and not ended", [], (gauge) =>
    gauge.set(drain.inFlight),
  );
  metrics.gauge("overloaded", "1 while new calls are refused because of overload", [], (gauge) =>
    gauge.set(runtime.admission.overloaded ? 1 : 0),
  );
  metrics.gauge("ledger_waiting", "Holds and settlements waiting for the database", [], (gauge) =>
    gauge.set(ledger.status().waiting),
  );
  metrics.gauge(
    "responses_stored_bytes",
    "What all stored responses take, as far as this process knows",
    [],
    (gauge) => gauge.set(runtime.responses.limits.totalBytes),
  );
  metrics.gauge("spool_depth", "Settlements on the local disk only", [], (gauge) =>
    gauge.set(ledger.status().spooled),
  );
  metrics.gauge(
    "limiter_degraded",
    "1 while the shared store of limits is unavailable",
    ["backend"],
    (gauge) => {
      const { backend, degraded } = limiter.status();
      gauge.set({ backend }, degraded ? 1 : 0);
    },
  );
  metrics.gauge("node_in_flight", "Attempts in flight", ["node"], (gauge) => {
    for (const node of catalog.current.nodes.values()) {
      gauge.set({ node: node.name }, nodeReport(health, node).inFlight);
    }
  });
  metrics.gauge("node_available", "1 while the node may be called", ["node", "state"], (gauge) => {
    gauge.reset();
    for (const node of catalog.current.nodes.values()) {
      const { state } = nodeReport(health, node);
      gauge.set({ node: node.name, state }, state === "healthy" || state === "degraded" ? 1 : 0);
    }
  });
}
