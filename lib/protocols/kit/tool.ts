import type { JsonObject } from "@/lib/kernel/json-object";

/** A function that a model may call. */
export interface Tool {
  name: string;
  description: string | undefined;
  /** A JSON schema. */
  parameters: JsonObject;
}
