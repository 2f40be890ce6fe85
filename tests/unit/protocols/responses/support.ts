import type { GatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json";
import { prepareRequest } from "@/lib/protocols/conversion";
import type { Compatibility } from "@/lib/protocols/generation/problems";
import { profileFor } from "@/lib/protocols/profiles/families";
import type { Profile } from "@/lib/protocols/profiles/profile";
import { protocols } from "@/lib/protocols/registry";
import type { Rendered, RequestAdapter } from "@/lib/protocols/request-adapter";
import { responsesConcepts, responsesFields, responsesPromptFields } from "@/lib/protocols/responses/fields";
import { parseResponses, responsesConversation } from "@/lib/protocols/responses/parse";
import { checkResponses, isPlainResponses, responsesRequest } from "@/lib/protocols/responses/schema";
import { validateRequest } from "@/lib/protocols/validation/validate";
import { refusalOf } from "@/tests/unit/protocols/requests/support";

/** How requests of Responses clients are read. */
export const client: RequestAdapter = {
  schema: responsesRequest,
  countSchema: responsesRequest,
  fields: responsesFields,
  promptFields: responsesPromptFields,
  concepts: responsesConcepts,
  isPlain: isPlainResponses,
  check: checkResponses,
  conversation: responsesConversation,
  parse: parseResponses,
  render: never,
  patch: never,
};

function never(): never {
  throw new Error("a Responses client on a node of another protocol");
}

/** What a test chooses. */
export interface Choice {
  compatibility?: Compatibility;
  model?: string;
  profile?: Partial<Profile>;
  headers?: Record<string, string>;
}

const usualModel = { chat: "gpt-4.1", messages: "claude-sonnet-4-5" };

/** The body as a client sends it, checked and written for a node. */
export function prepare(
  fields: JsonObject,
  node: "chat" | "messages" = "chat",
  choice: Choice = {},
): Rendered {
  const { compatibility = "standard", model = usualModel[node], profile, headers = {} } = choice;
  const body = checked(fields, compatibility);
  return prepareRequest(body, {
    client,
    upstream: protocols[node],
    alias: "alias-1",
    upstreamModel: model,
    profile: { ...profileFor(model, node, {}), ...profile },
    compatibility,
    version: "2023-06-01",
    headers,
    defaultMaxTokens: null,
    maxOutputTokens: null,
    affordableOutput: 1_000_000,
    contextLeft: 1_000_000,
    provenanceKey: "test-key",
    openReasoning: () => null,
  });
}

/** The body as it passes the gateway's checks. */
export function checked(fields: JsonObject, compatibility: Compatibility = "standard"): JsonObject {
  return validateRequest({ model: "m", ...fields }, client, { compatibility, version: "2023-06-01" });
}

/** The refusal of a body on a node. */
export function refused(
  fields: JsonObject,
  node: "chat" | "messages" = "chat",
  choice: Choice = {},
): GatewayError {
  return refusalOf(() => prepare(fields, node, choice));
}

/** The messages that the node gets. */
export function messagesOf(rendered: Rendered): JsonObject[] {
  return rendered.body.messages as JsonObject[];
}

const user = (content: unknown) => ({ type: "message", role: "user", content });
const call = (call_id: string, name = "f", args = "{}") => ({
  type: "function_call",
  call_id,
  name,
  arguments: args,
});
const output = (call_id: string, value: unknown = "done") => ({
  type: "function_call_output",
  call_id,
  output: value,
});
const said = (text: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});

/** Items as clients write them. */
export const items = { user, call, output, said };
