import type { JsonObject } from "@/lib/kernel/json-object";
import type { Compatibility } from "@/lib/protocols/generation/compatibility";

/** A body in its protocol's own form, and what was lost on the way. */
export interface OwnForm {
  body: JsonObject;
  losses: readonly string[];
}

/** Names of the fields whose tokens are input tokens. */
export interface PromptFields {
  /** The list of turns; it stands in `content` too. */
  readonly turns: string;
  /** Fields that hold text, or lists of parts with text. */
  readonly content: readonly string[];
  /** Fields that the model gets as JSON: tools, the schema of the answer. */
  readonly json: readonly string[];
}

/** What the rules for a client's request depend on. */
export interface CheckOptions {
  compatibility: Compatibility;
  /** The client's protocol version, see `readVersion`. */
  version: string;
}

/** What reading a client's request depends on besides its body. */
export interface ParseContext extends CheckOptions {
  /** The client's headers, lower case. */
  headers: Readonly<Record<string, string | undefined>>;
}
