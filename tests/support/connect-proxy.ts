import { createServer } from "node:http";
import { connect, type Socket } from "node:net";

/** A proxy that tunnels everything to one port, whatever host is asked for. */
export interface ConnectProxy {
  url: string;
  /** The `host:port` of each tunnel that was asked for. */
  asked: string[];
  close(): Promise<void>;
}

/** Starts one. `targetPort`: where every tunnel ends. */
export async function startConnectProxy(targetPort: () => number): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on("connect", (request, client: Socket, head) => {
    asked.push(request.url ?? "");
    const target = connect(targetPort(), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connected\r\n\r\n");
      target.write(head);
      target.pipe(client).pipe(target);
    });
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
