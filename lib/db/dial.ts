import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Units: milliseconds. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * The pause before the next attempt to connect to one server. All its connections share it: it doubles with each attempt
 * that fails, and the first answer ends it. Source: docs/adr/0021-sockets-of-the-database.md#decision.
 */
export class DialPause {
  #failures = 0;
  #endMs = 0;

  /** An attempt has failed. */
  failed(): void {
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#endMs = performance.now() + pauseMs;
  }

  /** The server has answered. */
  answered(): void {
    this.#failures = 0;
    this.#endMs = 0;
  }

  /** Resolves when the next attempt may begin. */
  async over(): Promise<void> {
    for (;;) {
      const leftMs = this.#endMs - performance.now();
      if (leftMs <= 0) return;
      await sleep(leftMs);
    }
  }
}

/**
 * The server closed a connection before its first answer, as a proxy without a server does. The code is the driver's.
 */
class ClosedUnansweredError extends Error {
  readonly code = "CONNECTION_CLOSED";

  constructor() {
    super("closed before the first answer");
    this.name = "ClosedUnansweredError";
  }
}

/** The client was ended while it waited to connect. The code is the driver's. */
class DialEndedError extends Error {
  readonly code = "CONNECTION_DESTROYED";

  constructor() {
    super("the connection was ended before it was opened");
    this.name = "DialEndedError";
  }
}

/** What the driver gives to its option `socket`. */
interface Destination {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** The path of a Unix socket; false without one. */
  readonly path: string | false;
}

/**
 * Opens the sockets of one client of the driver, one after the other. The driver connects again at once and without
 * limit while the server closes each connection before its first answer; here the second attempt fails instead, and
 * with it the waiting statement. Source: docs/adr/0021-sockets-of-the-database.md#decision.
 */
export class Dial {
  readonly #pause: DialPause;
  #socket: net.Socket | null = null;
  /** The last socket has had no answer. */
  #unanswered = false;
  #ended = false;

  constructor(pause: DialPause) {
    this.#pause = pause;
  }

  /**
   * The driver's option `socket`: a socket that connects, or fails with ClosedUnansweredError or DialEndedError. The
   * driver's time to connect begins when it has the socket.
   */
  readonly open = async (destination: Destination): Promise<net.Socket> => {
    if (this.#unanswered) return failing(new ClosedUnansweredError());
    await this.#pause.over();
    if (this.#ended) return failing(new DialEndedError());
    this.#unanswered = true;
    const socket = connect(destination);
    this.#socket = socket;
    return socket;
  };

  /** A statement was answered. */
  answered(): void {
    if (!this.#unanswered) return;
    this.#unanswered = false;
    this.#pause.answered();
  }

  /** A statement failed together with the connection. */
  failed(): void {
    if (this.#unanswered) this.#pause.failed();
  }

  /**
   * The client was ended: no socket is opened any more; one that still connects is destroyed, because the driver would
   * keep it.
   */
  end(): void {
    this.#ended = true;
    if (this.#socket?.connecting) this.#socket.destroy();
  }
}

/** When this function throws instead, the driver never ends the statements that wait behind the first one. */
async function failing(error: Error): Promise<net.Socket> {
  await null; // the driver adds its listeners before the next tick, in which the error is emitted
  return new net.Socket().destroy(error);
}

function connect({ host: [host = ""], port: [port = 0], path }: Destination): net.Socket {
  const socket = path ? net.connect(path) : net.connect(port, host);
  // The driver names both in its errors, and checks a certificate for this host.
  return Object.assign(socket, { host, port });
}
