import type { JsonObject } from "@/lib/kernel/json-object";
import type { CredentialHeader } from "./credential-header";

/**
 * The endpoints of a protocol's nodes and the form of their calls. Paths are relative to the node's base URL and may
 * have a query.
 */
export interface NodeApi {
  /** The path of a generation. */
  generation(asked: { model: string; stream: boolean }): string;
  /** The endpoint that counts tokens; absent: the protocol has none. */
  readonly tokenCount?: TokenCount;
  /** Null: nodes cannot be asked for their models. */
  readonly models: ModelList | null;
  /** The header of the credential, unless the provider uses another one. */
  readonly credential: CredentialHeader;
  /** The headers of every call, regardless of the client's headers. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Models whose sealed reasoning every provider of the model can read; that of other models can be read only where it
   * was made.
   */
  readonly portableReasoning?: RegExp;
  /** See `EncoderOptions.reasoningIsSummary`. */
  readonly reasoningIsSummary?: boolean;
}

/** How a node counts the tokens of a generation. */
export interface TokenCount {
  path(model: string): string;
  /** The body of the count, from the body of a generation. */
  body(generation: JsonObject, model: string): JsonObject;
  /** The count in an answer; undefined: it has none. Units: tokens. */
  read(answer: JsonObject): number | undefined;
}

/** How a node lists its models. */
export interface ModelList {
  /** The path of the first page. */
  readonly path: string;
  /** The path of the page after this one; null: it is the last one. */
  next(page: unknown): string | null;
  /** The entries of a page; null: it is no list. Absent: they are in `data` or `models`, or are the page itself. */
  entries?(page: unknown): readonly unknown[] | null;
  /** The base URL of the list, from the node's; null: not known. Absent: the node's own. */
  baseUrl?(node: URL): string | null;
}
