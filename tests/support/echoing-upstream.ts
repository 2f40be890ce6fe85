import { createServer, type Socket } from "node:net";

/** The parts of a received request that a node may echo. */
export interface EchoedRequest {
  /** The requested upstream model. */
  model: string;
  stream: boolean;
  /** Headers by lower-case name. */
  headers: Readonly<Record<string, string>>;
}

/** A node that records its requests and writes the bytes of a test; also a proxy for any host. */
export interface EchoingUpstream {
  port: number;
  close(): Promise<void>;
}

/** Starts a node on all addresses of this machine; `answer` gets each whole request and writes to the socket. */
export async function startEchoingUpstream(
  answer: (socket: Socket, request: EchoedRequest) => void,
): Promise<EchoingUpstream> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    let text = "";
    let tunnel: Record<string, string> = {};
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      if (head === -1) return;
      const headers = headersOf(text.slice(0, head));
      if (text.startsWith("CONNECT ")) {
        tunnel = headers;
        text = text.slice(head + 4);
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        return;
      }
      if (text.length < head + 4 + Number(headers["content-length"] ?? 0)) return;
      const model = /"model":"([^"]+)"/.exec(text)?.[1] ?? "";
      const stream = text.includes('"stream":true');
      text = "";
      answer(socket, { model, stream, headers: { ...tunnel, ...headers } });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "0.0.0.0", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the upstream has no port");
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function headersOf(head: string): Record<string, string> {
  const lines = head.split("\r\n").slice(1);
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
