import { request } from "node:http";

/** An answer read without any help. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** What `fetch` would not send: any method, path, header or body length. */
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
    // The server may answer and close before everything is written; the answer is what counts.
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error);
    });
    for (const piece of call.pieces ?? []) sent.write(piece);
    if (!call.unfinished) sent.end();
  });
}
