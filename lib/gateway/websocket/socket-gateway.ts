import type { Gateway } from "@/lib/gateway/runtime";
import type { Metrics } from "@/lib/ops/metrics";

/** The parts of the gateway that sockets use. */
export type SocketGateway = Gateway & {
  readonly metrics: Pick<Metrics, "socketRefused" | "socketClosed">;
};
