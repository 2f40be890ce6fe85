/** The concepts: what the fields of requests are about, independent of their names. Source: docs/architecture.md#s2. */
export type Concept =
  | "model"
  | "history"
  | "instructions"
  | "outputLimit"
  | "temperature"
  | "topP"
  | "topK"
  | "seed"
  | "penalties"
  | "stop"
  | "streaming"
  | "usageChunk"
  | "choices"
  | "tools"
  | "toolChoice"
  | "parallelToolCalls"
  | "webSearch"
  | "outputFormat"
  | "verbosity"
  | "reasoning"
  | "shownReasoning"
  | "logProbabilities"
  | "caller"
  | "session"
  | "serviceTier"
  | "cacheMarks"
  | "storage"
  | "serverState"
  | "audioOutput"
  | "outputModalities"
  | "moderation";

/**
 * What happens to a field on its way to another protocol: `mapped` reaches the node in some form, `ignored` has no
 * effect and causes no warning, `dropped` is lost with a warning, `refused` is a 400.
 */
export type Fate = "mapped" | "ignored" | "dropped" | "refused";

/** The rule of one field of a client's protocol. */
export interface FieldRule {
  /** Shape: empty for a field without a concept in the neutral model; it is lost on every other protocol. */
  concepts: readonly Concept[];
  /** A note of the client's protocol, added to the note on the concept. */
  note?: string;
  /** The field has this fate on every other protocol. */
  fate?: "ignored" | "refused";
  /** Zero, false and empty values have no effect. */
  hint?: boolean;
  /** The value that has no effect. */
  usual?: string;
  /** The field is an object whose members have rows of their own, named `<field>.<member>`; its own row has no fate. */
  members?: true;
}

/**
 * The top-level fields of a protocol, and the members of those whose row says `members`. A field or member that is not
 * listed is lost on every other protocol.
 */
export type FieldTable = Readonly<Record<string, FieldRule>>;

/** A fate, and the details of it. */
export interface FateNote {
  fate: Fate;
  note: string;
}

/** The fate of each concept in a protocol's own requests. */
export type ConceptTable = Readonly<Record<Concept, FateNote>>;

/** The concept reaches the node; `note` describes the form. */
export const mapped = (note: string): FateNote => ({ fate: "mapped", note });
/** The concept has no effect on an answer. */
export const ignored = (note: string): FateNote => ({ fate: "ignored", note });
/** The concept is lost with a warning. */
export const dropped = (note = "no equivalent"): FateNote => ({ fate: "dropped", note });
/** The concept is a 400. */
export const refused = (note: string): FateNote => ({ fate: "refused", note });

/** The fate of one field of a client's protocol on a node of another one. */
function fateOf(rule: FieldRule | undefined, concepts: ConceptTable): FateNote {
  if (rule?.fate !== undefined) return { fate: rule.fate, note: rule.note ?? "" };
  const fates = rule?.concepts.map((concept) => concepts[concept]) ?? [];
  const reached = fates.filter(({ fate }) => fate === "mapped");
  // A field is lost only if all that it is about is lost.
  const kept = fates.filter(({ fate }) => fate !== "dropped");
  const told = reached.length > 0 ? reached : [...kept, ...fates].slice(0, 1);
  const notes = told.length > 0 ? told : [dropped(rule?.note)];
  const texts = new Set(notes.map(({ note }) => note));
  if (rule?.note !== undefined) texts.add(rule.note);
  return { fate: notes[0]?.fate ?? "dropped", note: [...texts].join("; ") };
}

/** The fate of each field of one protocol on the nodes of another one. Source: docs/protocols.md#s20. */
export function fieldFates(fields: FieldTable, concepts: ConceptTable): Record<string, FateNote> {
  const rows = fieldNames(fields).map((name) => [name, fateOf(fields[name], concepts)] as const);
  return Object.fromEntries(rows);
}

/** The names of the fields that have a fate: not those of objects whose members have rows of their own. */
export function fieldNames(fields: FieldTable): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.members !== true);
}

/** The names of the fields that are about a concept, in the table's order. */
export function fieldsAbout(fields: FieldTable, concept: Concept): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.concepts.includes(concept));
}
