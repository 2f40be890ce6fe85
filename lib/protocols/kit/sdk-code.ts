/** Code for an SDK in one language. */
export interface SdkLanguage {
  /** The lines that import the SDK and make `client`. `key` is an expression that gives the caller's key. */
  client(baseUrl: string, key: string): string;
  /** The loop that prints the pieces of a streamed `answer`. */
  readonly pieces: string;
}

/** How the SDKs of a protocol make a call. */
export interface SdkCode {
  readonly python: SdkLanguage;
  readonly node: SdkLanguage;
  /** The method of `client`, in both languages. */
  readonly method: string;
  /** The text of a whole `answer`, in both languages. */
  readonly text: string;
  /** Fields of a body that Python's method has no arguments for. */
  readonly extraInPython: readonly string[];
}
