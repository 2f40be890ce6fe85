import type { JsonObject } from "@/lib/kernel/json-object";
import type { Compatibility } from "@/lib/protocols/generation/compatibility";

/** A body in the form of its own protocol, and the losses of the conversion. */
export interface OwnForm {
  body: JsonObject;
  losses: readonly string[];
}

/** What the path of a request says beside its body. */
export interface PathCall {
  operation: "generate" | "count" | "embed";
  /** Fields that the path sets in the body. */
  fields: { model: string; stream?: boolean };
}

/** Names of the fields whose tokens are input tokens. */
export interface PromptFields {
  /** The list of turns; its name is in `content` too. */
  readonly turns: string;
  /** Fields that hold text, or lists of parts with text. */
  readonly content: readonly string[];
  /** Fields that reach the model as JSON: tools, the schema of the answer. */
  readonly json: readonly string[];
}

/** The options of the checks of a client's request. */
export interface CheckOptions {
  compatibility: Compatibility;
  /** The client's protocol version, see `readVersion`. */
  version: string;
}

/** The context in which a client's request is parsed. */
export interface ParseContext extends CheckOptions {
  /** The client's headers, lower case. */
  headers: Readonly<Record<string, string | undefined>>;
}
