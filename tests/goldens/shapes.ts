/** A JSON object whose fields are not known. */
export type JsonObject = Record<string, unknown>;

/** The protocols that clients and nodes speak. */
export type Protocol = "chat" | "messages";
export const protocols = ["chat", "messages"] as const;

/** One model of a node, as a route names it; `profile` is what an operator overrides. */
export interface Upstream {
  protocol: Protocol;
  model: string;
  profile?: JsonObject;
}

/** How forgiving the gateway is set. */
export type Setting = "standard" | "strict" | "lenient";

/** A request and what its preparation depends on; what is left out has a usual value. */
export interface RequestInput {
  client: Protocol;
  /** The body as it comes. */
  text: string;
  version?: string;
  headers?: Record<string, string | undefined>;
  baseUrl?: string;
  defaultMaxTokens?: number | null;
  maxOutputTokens?: number | null;
  affordableOutput?: number;
  contextLeft?: number;
  countTokens?: boolean;
}

/** What the answer path knows of the request; what is left out has a usual value. */
export interface AnswerOptions {
  includeUsage?: boolean;
  legacyFunctions?: boolean;
  excludeReasoning?: boolean;
  singleToolCall?: boolean;
  /** The upstream's name, then the client's. */
  toolNames?: readonly (readonly [string, string])[];
  stopSequences?: readonly string[];
  choices?: number;
  usageCeiling?: number;
  maxTokens?: number;
}

/** An answer of a node: the bytes of a stream as they arrive, or the text of a whole body. */
export type AnswerInput = { pieces: readonly Uint8Array[] } | { body: string };

/** One way of an answer through the gateway; `stream` is what the client wants. */
export interface Way {
  upstream: Protocol;
  client: Protocol;
  stream: boolean;
}
