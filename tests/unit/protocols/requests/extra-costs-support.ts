import type { JsonObject } from "@/lib/kernel/json-object";
import { type CallPrices, pricedTools } from "@/lib/kernel/usage";
import type { Compatibility } from "@/lib/protocols/generation/compatibility";
import type { OtherPrice } from "@/lib/protocols/passes/extra-costs";
import type { Profile } from "@/lib/protocols/profiles/profile";
import { type NodeProtocol, type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { prepareFor, validated } from "./support";

/** What the user says. */
export const turn = { role: "user", content: "Hi" };
const plain: Record<Protocol, JsonObject> = {
  chat: { model: "m", max_tokens: 50, messages: [turn] },
  messages: { model: "m", max_tokens: 50, messages: [turn] },
  responses: { model: "m", max_output_tokens: 50, input: [turn] },
  gemini: {
    model: "m",
    generationConfig: { maxOutputTokens: 50 },
    contents: [{ role: "user", parts: [{ text: "Hi" }] }],
  },
};
/** A function, as each protocol writes it. */
export const f: Record<Protocol, JsonObject> = {
  chat: { type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } },
  messages: { name: "f", input_schema: { type: "object", properties: {} } },
  responses: { type: "function", name: "f", parameters: { type: "object", properties: {} }, strict: false },
  gemini: { functionDeclarations: [{ name: "f" }] },
};
/** Every tool has a price. */
export const allPrices: CallPrices = Object.fromEntries(pricedTools.map((tool) => [tool, 1n]));

interface Choice {
  perCall?: CallPrices;
  extraPrices?: ReadonlySet<OtherPrice>;
  node?: Protocol;
  compatibility?: Compatibility;
  profile?: Partial<Profile>;
}

/** A request with these fields for a node of the same protocol, or of another. */
export function send(client: Protocol, fields: JsonObject, choice: Choice = {}) {
  const {
    node = client,
    compatibility = "standard",
    perCall = {},
    extraPrices = new Set<OtherPrice>(),
    profile = {},
  } = choice;
  const body = validated({ ...plain[client], ...fields }, client, { compatibility });
  const context = {
    perCall,
    extraPrices,
    profile,
    compatibility,
    clientProtocol: client,
    upstreamProtocol: node,
  };
  return prepareFor(body, context);
}

/** The protocols of a row that clients speak. */
export function clientsOf({ protocols }: { protocols: readonly NodeProtocol[] }): Protocol[] {
  return protocolIds.filter((id) => protocols.includes(id));
}
