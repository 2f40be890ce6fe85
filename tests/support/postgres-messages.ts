import net from "node:net";

/** An error as PostgreSQL and its poolers send it. */
export function errorMessage(state: string, text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${state}\0M${text}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** What PostgreSQL sends to a client that it lets in without a password: it is ready for a statement. */
export function authenticationOk(): Buffer {
  const message = (kind: string, content: number[]): number[] => [
    kind.charCodeAt(0),
    0,
    0,
    0,
    content.length + 4,
    ...content,
  ];
  return Buffer.from([...message("R", [0, 0, 0, 0]), ...message("Z", ["I".charCodeAt(0)])]);
}

interface ListenerOptions {
  /** What it sends; null for nothing. */
  answer: Buffer | null;
  /** The connection is reset instead of closed. */
  reset?: boolean;
  /** The connection is left open, without another answer. */
  stays?: boolean;
}

/** A listener for PostgreSQL's clients: answers each first packet, then ends the connection, unless it stays. */
export class StartupListener {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  /** Connections that sent a packet. */
  connections = 0;

  constructor({ answer, reset = false, stays = false }: ListenerOptions) {
    this.#server = net.createServer((socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => {}); // a client may leave first
      socket.once("data", () => {
        this.connections += 1;
        if (reset) socket.resetAndDestroy();
        else if (answer === null) socket.end();
        else if (stays) socket.write(answer);
        else socket.end(answer);
      });
    });
  }

  /** Returns the address of a database there. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("it listens at no port");
    return `postgres://tollgate@127.0.0.1:${address.port}/tollgate`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
