import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** One call an upstream got. */
export interface UpstreamCall {
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** An upstream that answers what a test wants. */
export interface ScriptedUpstream {
  url: string;
  calls: UpstreamCall[];
  close(): Promise<void>;
}

/** Starts an upstream; it calls `answer` for each complete request. */
export async function startScriptedUpstream(
  answer: (response: ServerResponse, call: UpstreamCall) => void,
): Promise<ScriptedUpstream> {
  const calls: UpstreamCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const call = {
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      calls.push(call);
      answer(response, call);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the upstream has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
