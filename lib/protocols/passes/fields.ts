import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { Concept, ConceptTable, FieldTable } from "@/lib/protocols/generation/concepts";
import { refusal } from "@/lib/protocols/generation/problems";
import type { GivenField } from "@/lib/protocols/generation/request";
import type { Rendering } from "./rendering";

/** The top-level fields of a client's body that ask for something; in some protocols an empty list asks for nothing. */
export function givenFields(body: JsonObject, table: FieldTable, emptyListsAsk: boolean): GivenField[] {
  const given: GivenField[] = [];
  for (const name in body) {
    const value = body[name];
    if (value === null || value === undefined) continue;
    if (!emptyListsAsk && Array.isArray(value) && value.length === 0) continue;
    const rule = Object.hasOwn(table, name) ? table[name] : undefined;
    if (rule?.usual === value || (rule?.hint === true && isEmpty(value))) continue;
    given.push({ name, rule });
  }
  return given;
}

/** Refuses the fields that only a server of the client's own protocol can honour. Throws: INVALID_REQUEST. */
export function refuseFields({ request, words }: Rendering, table: ConceptTable, concept: Concept): void {
  if (table[concept].fate !== "refused") return;
  for (const { name, rule } of request.fields) {
    if (rule?.concepts.includes(concept) === true) throw refusal(words.serverState(name));
  }
}

/** Notes every field that does not reach the node. Source: docs/protocols.md#g10. */
export function noteDroppedFields({ request, losses }: Rendering, table: ConceptTable): void {
  for (const { name, rule } of request.fields) {
    if (rule === undefined || (rule.fate === undefined && isLost(rule.concepts, table))) losses.dropped(name);
  }
}

/** What the client calls a concept; `usual` where it has not named it. */
export function fieldOf({ request }: Rendering, concept: Concept, usual: string): string {
  return request.fields.find(({ rule }) => rule?.concepts.includes(concept) === true)?.name ?? usual;
}

function isLost(concepts: readonly Concept[], table: ConceptTable): boolean {
  for (const concept of concepts) if (table[concept].fate !== "dropped") return false;
  return true;
}

// A zero penalty or an empty map asks for nothing.
function isEmpty(value: unknown): boolean {
  if (value === 0 || value === false || value === "") return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** A field of each message, or of the messages of one role. */
const OF_MESSAGES = /^messages\[(\w*)\]\.(\w+)$/;

/**
 * Takes out what a provider refuses: fields of the body, and fields of messages (`messages[].x`, `messages[user].x`).
 * Returns those that said something. The client's own messages stay as they are. Source: docs/protocols.md#s3-1.
 */
export function dropRefusedFields(body: JsonObject, refused: readonly string[]): string[] {
  const dropped: string[] = [];
  for (const path of refused) {
    const [, role, field] = OF_MESSAGES.exec(path) ?? [];
    const said = field === undefined ? dropField(body, path) : dropFromMessages(body, field, role ?? "");
    if (said) dropped.push(path);
  }
  return dropped;
}

function dropField(object: JsonObject, field: string): boolean {
  const value = object[field];
  delete object[field];
  return value != null;
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
    const copy = { ...message };
    if (dropField(copy, field)) said = true;
    return copy;
  });
  return said;
}
