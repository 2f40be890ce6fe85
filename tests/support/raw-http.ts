import { request } from "node:http";
import { connect } from "node:net";

/** A response without any parsing of its body. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A request that `fetch` would not send: any method, path, header or body length. */
export interface RawCall {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** Written one after the other; without a `content-length` header they go out chunked. */
  pieces?: (string | Buffer)[];
  /** Leave the request unfinished after the pieces: only its headers decide. */
  unfinished?: boolean;
}

/** Sends exactly this and reads the answer. */
export function rawCall(url: string, call: RawCall): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const { method = "POST", path, headers = {} } = call;
    const sent = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString(),
        });
        sent.destroy();
      });
    });
    // The server may respond and close before everything is written; only the response matters.
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error);
    });
    sent.on("close", () => reject(new Error("the connection was closed without an answer")));
    for (const piece of call.pieces ?? []) sent.write(piece);
    if (!call.unfinished) sent.end();
  });
}

/**
 * Writes exactly these bytes to a connection of its own and reads until the other side closes it.
 * Throws: when it is still open after `withinMs`.
 */
export function rawBytes(url: string, bytes: string | Buffer, withinMs = 10_000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.setTimeout(withinMs, () => {
      socket.destroy();
      reject(new Error(`still open after ${withinMs} ms: ${text.slice(0, 200)}`));
    });
    socket.on("data", (piece) => {
      text += piece.toString("latin1");
    });
    // A server that refuses may reset the connection before everything is written; only its response matters.
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
    socket.write(bytes);
  });
}
