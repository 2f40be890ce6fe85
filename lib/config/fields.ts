import { z } from "zod";

/** A whole number inside bounds, both included; every error message names both bounds. */
export function whole(min: number, max: number) {
  const error = (issue: { input?: unknown }) =>
    issue.input === undefined ? "is required" : `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** Text with a length in characters, not UTF-16 units. */
export function text(min: number, max: number) {
  return z
    .string()
    .refine(
      (value) => [...value].length >= min && [...value].length <= max,
      `must have ${min} to ${max} characters`,
    )
    .meta({ minLength: min, maxLength: max });
}
