/** A parsed JSON object whose fields are not known. */
export type JsonObject = Record<string, unknown>;

/** True for a JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The row of a table under a name that callers or nodes choose; names that every object inherits find nothing. */
export function rowOf<Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** True when an object has no other fields than these. */
export function hasOnlyFields(object: JsonObject, fields: ReadonlySet<string>): boolean {
  for (const name in object) if (!fields.has(name)) return false;
  return true;
}
