import net from "node:net";

/** An error as PostgreSQL and its poolers send it. */
export function errorMessage(state: string, text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${state}\0M${text}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** A listener for PostgreSQL's clients: answers each first packet, then ends the connection. */
export class StartupListener {
  readonly #server: net.Server;
  /** Connections that sent a packet. */
  connections = 0;

  /** `answer`: what it sends; null for nothing. `reset`: the connection is reset instead of closed. */
  constructor({ answer, reset = false }: { answer: Buffer | null; reset?: boolean }) {
    this.#server = net.createServer((socket) => {
      socket.on("error", () => {}); // a client may leave first
      socket.once("data", () => {
        this.connections += 1;
        if (reset) socket.resetAndDestroy();
        else if (answer === null) socket.end();
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
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
