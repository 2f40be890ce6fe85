import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Pool } from "undici";

/**
 * A minimal Node proxy: node:http in, undici out, no key, no limits, no parsing, no billing. The baseline of all
 * other arms.
 */
const [target = "http://127.0.0.1:1", port = "0"] = process.argv.slice(2);
const pool = new Pool(target, { pipelining: 1 });

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    forward(request, response, Buffer.concat(parts)).catch(() => response.destroy());
  });
  request.on("error", () => response.destroy());
});

async function forward(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
  const disconnected = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) disconnected.abort();
  });
  const answer = await pool.request({
    path: request.url ?? "/",
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    signal: disconnected.signal,
  });
  const type = String(answer.headers["content-type"]);
  if (!type.startsWith("text/event-stream")) {
    const text = Buffer.from(await answer.body.arrayBuffer());
    response.writeHead(answer.statusCode, { "content-type": type, "content-length": text.length });
    response.end(text);
    return;
  }
  response.writeHead(answer.statusCode, { "content-type": type });
  for await (const part of answer.body) {
    if (!response.write(part)) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    response.once("drain", resolve);
    response.once("close", () => reject(new Error("the client has gone")));
  });
}

server.listen(Number(port), "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`raw ${typeof address === "object" ? address?.port : address}\n`);
});
process.on("disconnect", () => process.exit());
