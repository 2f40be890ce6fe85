import type { JsonObject } from "@/lib/kernel/json-object";
import type { CredentialHeader } from "./credential-header";

/** Where and how the nodes of a protocol are asked. Paths stand below the node's base URL and may have a query. */
export interface NodeApi {
  /** The path of a generation. */
  generation(asked: { model: string; stream: boolean }): string;
  /** How tokens are counted; absent: the protocol has no count. */
  readonly tokenCount?: TokenCount;
  readonly models: ModelList;
  /** Where the credential goes unless the provider says otherwise. */
  readonly credential: CredentialHeader;
  /** Headers that every call has, whatever the client sends. */
  readonly headers: Readonly<Record<string, string>>;
  /** Models whose sealed reasoning is read wherever they are served; that of others only where it was made. */
  readonly portableReasoning?: RegExp;
  /** See `EncoderOptions.reasoningIsSummary`. */
  readonly reasoningIsSummary?: boolean;
}

/** How a node counts the tokens of a generation. */
export interface TokenCount {
  path(model: string): string;
  /** What is sent to it for the body of a generation. */
  body(generation: JsonObject): JsonObject;
}

/** How a node lists its models. */
export interface ModelList {
  /** The path of the first page. */
  readonly path: string;
  /** The path of the page after this one; null: it is the last one. */
  next(page: unknown): string | null;
}
