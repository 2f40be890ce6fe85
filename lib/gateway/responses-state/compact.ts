import { authenticate } from "@/lib/gateway/authorize";
import type { GatewayRequest } from "@/lib/gateway/gateway-request";
import { compact } from "@/lib/gateway/generate";
import { parseRequest } from "@/lib/gateway/parse-request";
import type { Reply } from "@/lib/gateway/reply";
import type { Gateway } from "@/lib/gateway/runtime";
import { GatewayError, invalid } from "@/lib/kernel/errors";
import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { Losses } from "@/lib/protocols/generation/losses";
import { readVersion } from "@/lib/protocols/generation/version";
import { givenFields } from "@/lib/protocols/passes/rendering";
import { clientAdapters } from "@/lib/protocols/registry";
import { validateRequest } from "@/lib/protocols/validation/validate";
import { compactionItem } from "./caller-seal";
import { ownerOf, refuseForeignState } from "./history";

/** The instruction that asks the model for a summary; it follows the conversation. */
const SUMMARY_REQUEST = `The conversation above is about to be cut off. Write the notes from which another assistant can go on with it without having seen it.
State what the user wants and any rules the user has set; what was done and decided, and why; what was found out, with exact names, paths, values and error messages; what is unfinished, and the next step.
Write the notes only, in the language of the conversation. Do not call tools, and do not answer the user.`;

/** The fields of a compaction request; a generation has them too. */
const COMPACT_FIELDS = [
  "model",
  "input",
  "stream",
  "instructions",
  "previous_response_id",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "service_tier",
];

/**
 * POST /v1/responses/compact: the conversation as one sealed item, which a later request restores. The model itself
 * writes the summary; it is billed as a request. Throws: what a generation throws. Source: docs/responses.md#s5-3.
 */
export async function compactConversation(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const key = await authenticate(gateway, call);
  const losses = new Losses();
  const { requestId, protocol, method, headers, query, clientIp, signal } = call;
  const { receivedAtMs, receivedAt, replyHeaders, permit } = call;
  const asked: GatewayRequest = {
    requestId,
    protocol,
    method,
    headers,
    query,
    clientIp,
    signal,
    receivedAtMs,
    receivedAt,
    replyHeaders,
    permit,
    path: clientAdapters[protocol].clientPath,
    readBody: async (open, accountId) => {
      const { body } = parseRequest(await call.readBody(open, accountId));
      checkCompaction(gateway, call, body);
      for (const { name, rule } of givenFields(body, clientAdapters[protocol].fields, false)) {
        if (!COMPACT_FIELDS.includes(name) && rule?.fate !== "ignored") losses.dropped(name);
      }
      return Buffer.from(printJson(summaryRequest(body)));
    },
  };
  const reply = await compact(gateway, asked, losses);
  const response = typeof reply.body === "string" ? parseJson(reply.body) : null;
  if (!isObject(response) || response.object !== "response") return reply;
  const summary = textOf(response.output);
  if (summary === "")
    throw new GatewayError("UPSTREAM_ERROR", "The model wrote no summary of the conversation.");
  const { id, created_at, usage } = response;
  const item = compactionItem(String(id).replace(/^resp_/, "cmp_"), summary, ownerOf({ call, key }).seal);
  const answer = { id, object: "response.compaction", created_at, output: [item], usage };
  return { ...reply, body: printJson(answer) };
}

/** Checks a compaction as the generation that it would be. Throws: INVALID_REQUEST. Source: docs/responses.md#s5-3. */
function checkCompaction(
  { settings }: Gateway,
  { headers, protocol }: GatewayRequest,
  body: JsonObject,
): void {
  refuseForeignState(body);
  const version = readVersion(headers);
  validateRequest(body, clientAdapters[protocol], { compatibility: settings.compatibility, version });
  if (body.stream === true) throw invalid("stream", "stream must be false: a compaction comes as a whole.");
}

/** Shape: `body` has passed `checkCompaction`. */
function summaryRequest(body: JsonObject): JsonObject {
  const { input } = body;
  const items = Array.isArray(input) ? input : [];
  const text = { type: "message", role: "user", content: input };
  const ask = { type: "message", role: "user", content: [{ type: "input_text", text: SUMMARY_REQUEST }] };
  const request: JsonObject = {};
  for (const name of COMPACT_FIELDS) if (body[name] !== undefined) request[name] = body[name];
  request.store = false;
  request.input = typeof input === "string" && input !== "" ? [text, ask] : [...items, ask];
  return request;
}

/** All text of the messages of an answer. */
function textOf(output: unknown): string {
  const texts: string[] = [];
  for (const item of Array.isArray(output) ? output : []) {
    if (!isObject(item) || !Array.isArray(item.content) || item.role !== "assistant") continue;
    for (const part of item.content)
      if (isObject(part) && typeof part.text === "string") texts.push(part.text);
  }
  return texts.join("\n\n").trim();
}
