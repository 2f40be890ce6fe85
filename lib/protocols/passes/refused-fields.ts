import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import type { Concept } from "@/lib/protocols/generation/concepts";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import { asksForNothing } from "./rendering";

/** The tables of the protocol that a node speaks. */
export type NodeTables = Pick<NodeAdapter, "fields" | "concepts">;

/** A field of each message, or of the messages of one role. */
const OF_MESSAGES = /^messages\[(\w*)\]\.(\w+)$/;

/**
 * Removes the fields that a provider refuses: of the body (`x`), of an object in it (`x.y`), and of messages
 * (`messages[].x`, `messages[user].x`).
 * Returns those whose loss is reported to the client: not fields without effect, nor those that the protocol's tables
 * ignore. The client's own messages are not changed. Source: docs/protocols.md#s3-1.
 */
export function dropRefusedFields(body: JsonObject, refused: readonly string[], node: NodeTables): string[] {
  const lost: string[] = [];
  for (const path of refused) {
    const [, role, field] = OF_MESSAGES.exec(path) ?? [];
    const told =
      field === undefined ? dropFromBody(body, path, node) : dropFromMessages(body, field, role ?? "");
    if (told) lost.push(path);
  }
  return lost;
}

function dropFromBody(body: JsonObject, field: string, { fields, concepts }: NodeTables): boolean {
  const value = takeOut(body, field);
  const rule = rowOf(fields, field);
  if (asksForNothing(value, rule) || rule?.fate === "ignored") return false;
  const subjects = rule?.concepts ?? [];
  return subjects.length === 0 || subjects.some((concept) => concepts[concept].fate !== "ignored");
}

/** Removes a field by its path from the body, and returns its value. The client's own objects are not changed. */
function takeOut(body: JsonObject, path: string): unknown {
  const dot = path.indexOf(".");
  if (dot < 0) {
    const value = body[path];
    delete body[path];
    return value;
  }
  const holder = path.slice(0, dot);
  const inner = body[holder];
  if (!isObject(inner)) return undefined;
  const kept = { ...inner };
  const value = takeOut(kept, path.slice(dot + 1));
  body[holder] = kept;
  return value;
}

function dropFromMessages(body: JsonObject, field: string, role: string): boolean {
  const { messages } = body;
  if (!Array.isArray(messages)) return false;
  const refused = (message: unknown): message is JsonObject =>
    isObject(message) && field in message && (role === "" || message.role === role);
  if (!messages.some(refused)) return false;
  let said = false;
  body.messages = messages.map((message: unknown) => {
    if (!refused(message)) return message;
    const { [field]: value, ...kept } = message;
    if (value != null) said = true;
    return kept;
  });
  return said;
}

/**
 * The client's names of a field of the node's body: the fields of the client's own body that it was made of. Empty for
 * a field that the gateway added itself. A field without a row in the tables has the node's name.
 */
export function clientNames(field: string, request: GenerationRequest, node: NodeTables): string[] {
  const subjects = rowOf(node.fields, field)?.concepts ?? [];
  if (subjects.length === 0) return [field];
  const mapped = subjects.filter((concept) => node.concepts[concept].fate === "mapped");
  return mapped.flatMap((concept) => sourceOf(concept, request) ?? []);
}

/** The client's field for a concept; null if it has none. */
function sourceOf(concept: Concept, { fields, reasoning, outputFormat }: GenerationRequest): string | null {
  if (concept === "reasoning") return reasoning.wish?.source ?? null;
  if (concept === "outputFormat") return outputFormat?.source ?? null;
  return fields.find(({ rule }) => rule?.concepts.includes(concept) === true)?.name ?? null;
}
