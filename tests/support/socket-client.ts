import type { IncomingMessage } from "node:http";
import { WebSocket } from "ws";

/** An event of a server, as far as the tests read it. */
export interface SocketEvent {
  type: string;
  sequence_number?: number;
  stream_id?: string;
  status?: number;
  headers?: Record<string, string>;
  error?: { type: string; code: string; message: string; param: string | null };
  response?: Record<string, unknown> & { id: string; status: string; output: Record<string, unknown>[] };
  delta?: string;
  [field: string]: unknown;
}

const TERMINAL = /^(?:error|response\.(?:completed|incomplete|failed))$/;

const WITHIN_MS = 15_000;

/** A WebSocket of a client, with every event in order. */
export class SocketClient {
  readonly events: SocketEvent[] = [];
  /** How many messages were binary, which Codex cannot read. */
  binaryMessages = 0;
  /** Resolves with the code of the close. */
  readonly closed: Promise<number>;
  #changed: (() => void)[] = [];
  readonly #taken = new Set<SocketEvent>();

  constructor(readonly socket: WebSocket) {
    socket.on("message", (data, isBinary) => {
      if (isBinary) this.binaryMessages += 1;
      this.events.push(JSON.parse(String(data)));
      this.#wake();
    });
    this.closed = new Promise((resolve) =>
      socket.on("close", (code) => {
        resolve(code);
        this.#wake();
      }),
    );
    socket.on("error", () => {}); // a close follows
  }

  #wake(): void {
    for (const wake of this.#changed.splice(0)) wake();
  }

  /** Sends one message. */
  send(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Asks for a response. */
  create(body: Record<string, unknown>): void {
    this.send({ type: "response.create", ...body });
  }

  /** The first event that fits, and that no earlier call has had. Throws: the socket closes before. */
  async next(fits: (event: SocketEvent) => boolean = () => true, from = 0): Promise<SocketEvent> {
    const giveUpAt = Date.now() + WITHIN_MS;
    for (;;) {
      const found = this.events.slice(from).find((event) => !this.#taken.has(event) && fits(event));
      if (found !== undefined) {
        this.#taken.add(found);
        return found;
      }
      if (this.socket.readyState === this.socket.CLOSED) throw new Error("the socket has closed");
      if (Date.now() > giveUpAt) throw new Error("no such event");
      await new Promise<void>((resolve) => {
        this.#changed.push(resolve);
        setTimeout(resolve, WITHIN_MS).unref();
      });
    }
  }

  /** Asks for a response and waits for its last event. */
  async turn(body: Record<string, unknown>): Promise<SocketEvent> {
    const from = this.events.length;
    this.create(body);
    const lane = body.stream_id;
    return this.next((event) => event.stream_id === lane && TERMINAL.test(event.type), from);
  }

  /** Closes the socket and waits for it. */
  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}

/** A handshake that the server refused. */
export class RefusedHandshake extends Error {
  constructor(
    readonly status: number,
    readonly headers: Record<string, string | string[] | undefined>,
    readonly body: string,
  ) {
    super(`the handshake was refused: ${status} ${body.slice(0, 200)}`);
  }
}

/** Opens a socket. Throws: RefusedHandshake. */
export function openSocket(
  url: string,
  key: string,
  headers: Record<string, string> = {},
  path = "/v1/responses",
): Promise<SocketClient> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}${path}`, {
    headers: { ...(key === "" ? {} : { authorization: `Bearer ${key}` }), ...headers },
  });
  const client = new SocketClient(socket);
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(client));
    socket.once("error", reject);
    socket.once("unexpected-response", (_request: unknown, answer: IncomingMessage) => {
      let body = "";
      answer.on("data", (piece) => {
        body += piece;
      });
      answer.on("end", () => reject(new RefusedHandshake(answer.statusCode ?? 0, answer.headers, body)));
    });
  });
}
