import type { JsonObject } from "@/lib/kernel/json-object";

/** Code for an SDK in one language. */
export interface SdkLanguage {
  /** The lines that import the SDK and make `client`. `key` is an expression for the caller's key. */
  client(baseUrl: string, key: string): string;
  /** The method where this language has another one. */
  readonly method?: string;
  /** The method of a streamed call; absent: the same one. */
  readonly streamMethod?: string;
  /** The loop that prints the pieces of a streamed `answer`. */
  readonly pieces: string;
}

/** The code of a call with a protocol's SDKs. */
export interface SdkCode {
  readonly python: SdkLanguage;
  readonly node: SdkLanguage;
  /** The method of `client`, in both languages. */
  readonly method: string;
  /** The expression for the text of a whole `answer`, in both languages. */
  readonly text: string;
  /** The arguments of the method for a body; absent: its fields. */
  arguments?(body: JsonObject): JsonObject;
  /** Fields of a body for which Python's method has no arguments. */
  readonly extraInPython: readonly string[];
}
