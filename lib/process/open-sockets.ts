import type { Runtime } from "@/lib/gateway/runtime";
import { socketBounds } from "@/lib/gateway/websocket/bounds";
import { ClientSockets } from "@/lib/gateway/websocket/client-sockets";
import { handshakes, type TakeHandshake } from "@/lib/gateway/websocket/handshake";

/** Opens what the WebSockets of model API clients need, with its gauges. Source: docs/websocket.md#bounds. */
export function openSockets(runtime: Runtime): TakeHandshake {
  const sockets = new ClientSockets(runtime, socketBounds);
  runtime.metrics.gauge("websockets_open", "WebSockets of clients that are open", [], (gauge) =>
    gauge.set(sockets.size),
  );
  runtime.metrics.gauge(
    "websocket_remembered_bytes",
    "What WebSockets remember of their responses",
    [],
    (gauge) => gauge.set(sockets.rememberedBytes),
  );
  return handshakes(runtime, sockets, { bounds: socketBounds, trustProxy: runtime.settings.trustProxy });
}
