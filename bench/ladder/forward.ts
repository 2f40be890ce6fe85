import type { IncomingMessage, ServerResponse } from "node:http";
import { callableNode } from "@/lib/gateway/callable-node";
import type { GatewayRequest } from "@/lib/gateway/gateway-request";
import { runtime } from "@/lib/gateway/runtime";
import { Permit } from "@/lib/kernel/permit";
import { newRequestId } from "@/lib/kernel/request-id";
import { chatAdapter } from "@/lib/protocols/chat/adapter";
import { callNode } from "@/lib/upstream/call-node";

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Sends a body unread to the first Chat Completions node through the product's pools, once `check` has passed. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  check: (call: GatewayRequest) => Promise<void>,
): Promise<void> {
  const call = callOf(request, response);
  await check(call);
  const body = await call.readBody(null, "bench");
  const upstream = await callNode(runtime().pools, chatNode(), {
    path: chatAdapter.api.generation({ model: "", stream: false }),
    body: body.toString("utf8"),
    headers: {},
    stream: false,
    signal: call.signal,
    headersWithinMs: 60_000,
  });
  const text = await upstream.text(MAX_ANSWER_BYTES);
  response.writeHead(upstream.status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

function chatNode() {
  const found = [...runtime().catalog.current.nodes.values()].find(({ protocol }) => protocol === "chat");
  if (found === undefined) throw new Error("the configuration has no node that speaks chat");
  return callableNode(runtime(), found);
}

function callOf(request: IncomingMessage, response: ServerResponse): GatewayRequest {
  const disconnected = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) disconnected.abort();
  });
  return {
    requestId: newRequestId(),
    protocol: "chat",
    method: "POST",
    path: "/v1/chat/completions",
    query: new URLSearchParams(),
    headers: request.headers as Record<string, string | undefined>, // node joins repeated headers
    clientIp: "127.0.0.1",
    signal: disconnected.signal,
    receivedAtMs: performance.now(),
    receivedAt: new Date(),
    replyHeaders: {},
    permit: new Permit(),
    readBody: async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      return Buffer.concat(parts);
    },
  };
}
