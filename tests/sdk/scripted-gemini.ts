import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { Scripted, Step } from "./scripted";

/** What the model signs its calls with. */
const SIGNATURE = "c2lnbmVk";

/**
 * A model at Google that carries out a plan, one step after each round of results. As those of family 3 it refuses a turn
 * whose first call of a content has no signature.
 */
export function createScriptedGemini({ plan }: { plan: readonly Step[] }): Scripted {
  const requests: Scripted["requests"] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as JsonObject;
    requests.push({ method: request.method ?? "", url: request.url ?? "", body });
    answer(plan, request, body, response);
  });
  return { requests, listen: (port) => listen(server, port), close: () => close(server) };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function answer(
  plan: readonly Step[],
  { url = "" }: IncomingMessage,
  body: JsonObject,
  response: ServerResponse,
): void {
  const chunk = url.includes(":countTokens") ? { totalTokens: 7 } : generated(plan, body);
  if (chunk === null) reply(response, 400, unsigned);
  else if (!url.includes("alt=sse")) reply(response, 200, chunk);
  else
    response
      .writeHead(200, { "content-type": "text/event-stream" })
      .end(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
}

/** The answer to a request; null: a call of the current turn has no signature. */
function generated(plan: readonly Step[], { contents: history, tools }: JsonObject): JsonObject | null {
  const contents = listOf(history);
  const isAsking = ({ role, parts }: JsonObject) => role === "user" && !hasAny(parts, "functionResponse");
  const turn = contents.slice(contents.findLastIndex(isAsking) + 1);
  if (turn.some(({ role, parts }) => role === "model" && isUnsigned(parts))) return null;
  const done = turn.filter(({ parts }) => hasAny(parts, "functionResponse")).length;
  const step = tools === undefined ? { text: "Aux" } : (plan[Math.min(done, plan.length - 1)] ?? {});
  return {
    candidates: [{ content: { role: "model", parts: partsOf(step) }, finishReason: "STOP" }],
    usageMetadata,
  };
}

const unsigned = {
  error: { code: 400, message: "Function call is missing a thought_signature", status: "INVALID_ARGUMENT" },
};
const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 10, totalTokenCount: 30 };

function reply(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function partsOf({ thinking, text, tools, ...call }: Step): JsonObject[] {
  const calls = tools ?? (call.tool === undefined ? [] : [call]);
  return [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ tool, input }, at) => ({
      functionCall: { name: tool, args: input },
      ...(at === 0 && { thoughtSignature: SIGNATURE }),
    })),
  ];
}

function isUnsigned(parts: unknown): boolean {
  const [first] = listOf(parts).filter(({ functionCall }) => functionCall !== undefined);
  return first !== undefined && typeof first.thoughtSignature !== "string";
}

function hasAny(parts: unknown, member: string): boolean {
  return listOf(parts).some((part) => part[member] !== undefined);
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
