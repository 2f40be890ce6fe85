import type { z } from "zod";
import { GatewayError } from "@/lib/kernel/errors";
import { isObject } from "@/lib/kernel/json";

const MAX_SHOWN = 20;

/** Parses a value. Throws: INVALID_REQUEST with the problem of every field. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refusal(parsed.error.issues);
}

/** Parses a change: every field is optional, and defaults do not count as changes. Throws: INVALID_REQUEST. */
export function parseChanges<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
): Partial<z.infer<Schema>> {
  const parsed = parse(schema.partial(), value);
  const sent = Object.entries(parsed).filter(([name]) => isObject(value) && Object.hasOwn(value, name));
  return Object.fromEntries(sent) as Partial<z.infer<Schema>>; // a subset of the parsed fields
}

/** Parses a query string. Refuses repeated names and ignores unknown ones. Throws: INVALID_REQUEST. */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: URLSearchParams,
): z.infer<Schema> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = query.getAll(name);
    if (values.length > 1) throw refusalOf({ [name]: ["is given more than once"] });
    const [value] = values;
    if (value === undefined || value === "") continue;
    if (value.includes("\0")) throw refusalOf({ [name]: ["holds a NUL"] });
    given[name] = value;
  }
  return parse(schema, given);
}

function refusal(issues: readonly z.core.$ZodIssue[]): GatewayError {
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
  return refusalOf(fields);
}

function refusalOf(fields: Record<string, string[]>): GatewayError {
  const [first] = Object.entries(fields);
  const message = first ? `\`${first[0]}\` ${first[1][0]}` : "the request is not valid";
  return new GatewayError("INVALID_REQUEST", `${message}.`, { param: first?.[0], fields });
}
