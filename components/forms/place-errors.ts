import { type FieldErrors as FormErrors, set } from "react-hook-form";

/** Messages by field, as the API names it. */
export type FieldErrors = Record<string, string[]>;

/** The messages at the fields that are shown: what has no field of its own belongs to the nearest one that holds it. */
export function placeErrors(found: FieldErrors, shown: ReadonlySet<string>): FieldErrors {
  const placed: FieldErrors = {};
  for (const [path, messages] of Object.entries(found)) {
    const name = nearest(path, shown) ?? path;
    placed[name] = [...(placed[name] ?? []), ...messages];
  }
  return placed;
}

function nearest(path: string, shown: ReadonlySet<string>): string | null {
  const parts = path.split(".");
  const names = parts.map((_, index) => parts.slice(0, parts.length - index).join("."));
  return names.find((name) => shown.has(name)) ?? null;
}

/** One error of the form library for each field; several messages stand on lines of their own. */
export function toFormErrors(placed: FieldErrors): FormErrors {
  const errors: FormErrors = {};
  // A list before its entries: what is set later goes into what is there.
  for (const [name, messages] of Object.entries(placed).sort(([a], [b]) => depthOf(a) - depthOf(b)))
    set(errors, name, { type: "api", message: messages.join("\n") });
  return errors;
}

function depthOf(name: string): number {
  return name.split(".").length;
}

/** The errors of the form library by field, whoever found them. */
export function flatErrors(errors: object, prefix = ""): FieldErrors {
  const flat: FieldErrors = {};
  for (const [name, value] of Object.entries(errors)) {
    // The library keeps the control of a field there.
    if (typeof value !== "object" || value === null || name === "ref") continue;
    if ("message" in value && typeof value.message === "string")
      flat[prefix + name] = value.message.split("\n");
    Object.assign(flat, flatErrors(value, `${prefix}${name}.`));
  }
  return flat;
}
