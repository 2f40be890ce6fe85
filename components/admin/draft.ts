import { withoutGroups } from "../i18n/decimal";

/** A whole number as typed; null when empty, undefined when it is none inside the bounds. */
export function readWhole(text: string, min: number, max: number): number | null | undefined {
  const typed = withoutGroups(text);
  if (typed === "") return null;
  if (!/^\d{1,12}$/.test(typed)) return undefined;
  const value = Number(typed);
  return value >= min && value <= max ? value : undefined;
}

/** A number for a text box; empty for null. */
export function typedNumber(value: number | null | undefined): string {
  return value == null ? "" : String(value);
}

/** The fields that differ from the stored record. */
export function onlyChanges<T extends object>(wanted: T, stored: object): Partial<T> {
  const before = new Map<string, unknown>(Object.entries(stored));
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  // Every member comes from `wanted`, so this is a part of it.
  return Object.fromEntries(changed) as Partial<T>;
}
