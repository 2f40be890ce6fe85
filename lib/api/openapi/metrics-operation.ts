import type { ApiOperation } from "./operation";

/** The metrics. Source: docs/contract.md#s9. */
export const metricsOperation: ApiOperation = {
  method: "get",
  path: "/metrics",
  id: "getMetrics",
  tag: "Operations",
  caller: "metrics",
  summary: "Metrics in the text format of Prometheus",
  description: "Without `METRICS_TOKEN` set, only a direct call from loopback is answered.",
  success: {
    status: 200,
    description: "The metrics",
    other: { mediaType: "text/plain", description: "Prometheus exposition" },
  },
};
