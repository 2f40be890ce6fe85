import { connect, createServer, type Socket } from "node:net";

type Fault = "refuse" | "hang" | "deaf" | "through";

/** A TCP proxy with faults in front of a database. */
export interface TcpProxy {
  port: number;
  /** Connections that it has accepted, also those that it ended at once. */
  readonly accepted: number;
  /** Answers that "deaf" has held back. */
  readonly withheld: string;
  /**
   * "refuse": ends all connections, new ones end at once; "hang": no answer on any; "deaf": none on those that listen to
   * notifications; "through": new ones work again.
   */
  fail(how: Fault): void;
  /** Leads new connections elsewhere, as a name that moves; those that are open stay. */
  moveTo(port: number): void;
  /** Holds every answer back for so long. Units: milliseconds. */
  delay(ms: number): void;
  /** Ends all connections and lets new ones through. */
  heal(): void;
  /** Ends the connection, once, on which bytes that match came from the client, as soon as they were passed on. */
  cutAfter(match: string): void;
  /** How often `cutAfter` has done so. */
  readonly cuts: number;
  close(): Promise<void>;
}

/** Starts a proxy to a local port. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let fault: Fault = "through";
  let withheld = "";
  let cut: string | null = null;
  let cuts = 0;
  let targetPort = target.port;
  let delayMs = 0;
  let accepted = 0;
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    accepted += 1;
    if (fault === "refuse") {
      client.destroy();
      return;
    }
    const upstream = connect({ host: target.host, port: targetPort });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    let listens = false;
    client.on("data", (bytes) => {
      listens ||= bytes.includes("LISTEN ");
      if (fault === "hang") return;
      const matches = cut !== null && bytes.includes(cut);
      upstream.write(bytes, () => {
        if (!matches) return;
        // The server has received the statement; its answer must not be forwarded.
        upstream.removeAllListeners("data");
        setTimeout(() => client.destroy(), 50);
      });
      if (!matches) return;
      cut = null;
      cuts += 1;
      upstream.removeAllListeners("data");
    });
    upstream.on("data", (bytes) => {
      if (fault === "hang") return;
      if (fault === "deaf" && listens) {
        withheld += bytes.toString("latin1");
        return;
      }
      if (delayMs === 0) client.write(bytes);
      else setTimeout(() => client.writable && client.write(bytes), delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  return {
    port: address.port,
    get accepted() {
      return accepted;
    },
    get cuts() {
      return cuts;
    },
    get withheld() {
      return withheld;
    },
    fail(how) {
      fault = how;
      if (how === "refuse") drop();
    },
    moveTo(port) {
      targetPort = port;
    },
    delay(ms) {
      delayMs = ms;
    },
    heal() {
      fault = "through";
      delayMs = 0;
      drop();
    },
    cutAfter(match) {
      cut = match;
    },
    close() {
      drop();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
