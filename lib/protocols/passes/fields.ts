import type { JsonObject } from "@/lib/kernel/json";
import type { Concept, ConceptTable, FieldTable } from "../generation/concepts";
import { refusal } from "../generation/problems";
import type { GivenField } from "../generation/request";
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
