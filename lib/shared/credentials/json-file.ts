import { z } from "zod";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";

const MAX_JSON_CHARACTERS = 64 * 1024;

/** The text of a file that a schema accepts; the text itself is kept. */
export function fileOf(schema: z.ZodType) {
  return z
    .string()
    .max(MAX_JSON_CHARACTERS)
    .superRefine((text, context) => {
      const members = objectOf(text);
      if (members === null) context.addIssue("must be the JSON of the file");
      else
        for (const { path, message } of schema.safeParse(members).error?.issues ?? []) {
          context.addIssue([path.join("."), message].filter((part) => part !== "").join(" "));
        }
    });
}

/** The members of a JSON text; null when it is no object. */
export function objectOf(text: string): JsonObject | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}
