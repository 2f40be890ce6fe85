import { connect, type Socket } from "node:net";
import { Dechunker } from "./dechunker";

const HEAD_END = "\r\n\r\n";

/**
 * One connection that reads one stream after the other. A complete HTTP client would cost the reader more than the
 * proxies under test, and hide what they add when many streams are opened in one moment.
 */
export class StreamConnection {
  readonly #socket: Socket;
  #head = "";
  #frames: Dechunker | null = null;
  #take: (body: string) => void = () => {};
  #over: (problem: string | null) => void = () => {};

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (text: string) => this.#receive(text));
    this.#socket.on("error", (error) => this.#over(error.message));
    this.#socket.on("close", () => this.#over("the connection was closed"));
  }

  /** Waits until it is connected, or closed. */
  connected(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.once("connect", () => resolve());
      this.#socket.once("close", () => resolve());
    });
  }

  /**
   * Writes a request for one stream and gives its text to `take` as it arrives. Returns how it failed; null: it ended
   * well.
   */
  read(request: Buffer, take: (body: string) => void): Promise<string | null> {
    if (this.#socket.destroyed) return Promise.resolve("the connection was closed");
    return new Promise((resolve) => {
      this.#head = "";
      this.#frames = null;
      this.#take = take;
      this.#over = resolve;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(text: string): void {
    if (this.#frames !== null) {
      this.#receiveFrames(this.#frames, text);
      return;
    }
    this.#head += text;
    const end = this.#head.indexOf(HEAD_END);
    if (end === -1) return;
    const head = this.#head.slice(0, end);
    if (!/^HTTP\/1.1 200 /.test(head) || !/transfer-encoding: *chunked/i.test(head)) {
      this.#over(this.#head);
      this.close();
      return;
    }
    this.#frames = new Dechunker();
    this.#receiveFrames(this.#frames, this.#head.slice(end + HEAD_END.length));
  }

  #receiveFrames(frames: Dechunker, text: string): void {
    this.#take(frames.push(text));
    if (frames.ended) this.#over(null);
  }
}
