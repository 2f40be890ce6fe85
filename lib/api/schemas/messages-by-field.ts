import type { z } from "zod";

// `meta` describes checks by functions in JSON Schema, for the document at /openapi.json.

/** The most unknown members that a refusal names. */
const MAX_SHOWN = 20;

/**
 * The error messages by the field of the body; the server answers with them, and the pages' forms show them before
 * sending.
 */
export function messagesByField(issues: readonly z.core.$ZodIssue[]): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  const note = (name: string, message: string) => {
    const messages = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (messages) messages.push(message);
    else Object.defineProperty(fields, name, { value: [message], enumerable: true });
  };
  for (const issue of issues) {
    const path = issue.path.map(String).join(".");
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys.slice(0, MAX_SHOWN))
        note(path === "" ? key : `${path}.${key}`, "is not a known field");
    } else note(path === "" ? "body" : path, issue.message);
  }
  return fields;
}
