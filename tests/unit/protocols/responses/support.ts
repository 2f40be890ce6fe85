import type { GatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { CallPrices } from "@/lib/kernel/usage";
import type { Rendered } from "@/lib/protocols/adapters/rendered";
import type { Compatibility } from "@/lib/protocols/generation/compatibility";
import type { Profile } from "@/lib/protocols/profiles/profile";
import { prepareFor, refusalOf, validated } from "@/tests/unit/protocols/requests/support";

/** What a test chooses. */
export interface Choice {
  compatibility?: Compatibility;
  model?: string;
  perCall?: CallPrices;
  profile?: Partial<Profile>;
  headers?: Record<string, string>;
}

const usualModel = { chat: "gpt-4.1", messages: "claude-sonnet-4-5" };

/** The body as a Responses client sends it, checked and written for a node. */
export function prepare(
  fields: JsonObject,
  node: "chat" | "messages" = "chat",
  { compatibility = "standard", model = usualModel[node], ...rest }: Choice = {},
): Rendered {
  const body = checked(fields, compatibility);
  const way = { clientProtocol: "responses", upstreamProtocol: node, upstreamModel: model } as const;
  return prepareFor(body, { ...way, compatibility, ...rest });
}

/** The body as it passes the gateway's checks. */
export function checked(fields: JsonObject, compatibility: Compatibility = "standard"): JsonObject {
  return validated({ model: "m", ...fields }, "responses", { compatibility });
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
