import { isObject } from "@/lib/kernel/json-object";

/** One field that an action changed; undefined: absent. */
export interface FieldChange {
  field: string;
  /** The route whose field it is, by its node and model. */
  route?: string;
  before: unknown;
  after: unknown;
}

/** Fields with times of changes, which are no changes themselves. */
const NOISE: ReadonlySet<string> = new Set(["updatedAt", "health"]);

/** The differences between two records by field path. */
export function diffOf(before: unknown, after: unknown, path = ""): FieldChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isObject(before) && !isObject(after)) return [{ field: path, before, after }];
  const [left, right] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names
    .filter((name) => !NOISE.has(name))
    .flatMap((name) => diffOf(left[name], right[name], path === "" ? name : `${path}.${name}`));
}

/** A value in one line; empty for an absent one. */
export function shortValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
