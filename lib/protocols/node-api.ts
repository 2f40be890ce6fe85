/** The header that carries a node's credential; `authorization` takes it as a bearer token. */
export type CredentialHeader = "authorization" | "x-api-key" | "api-key";

/** How the nodes of a protocol are called. */
export interface NodeApi {
  /** Path of a generation, below the base URL. */
  readonly path: string;
  /** Path of a token count; null: the protocol has none. */
  readonly countTokensPath: string | null;
  /** Path that lists the models. */
  readonly modelsPath: string;
  /** Where the credential goes unless the provider says otherwise. */
  readonly credential: CredentialHeader;
  /** Headers that every call has, whatever the client sends. */
  readonly headers: Readonly<Record<string, string>>;
}
