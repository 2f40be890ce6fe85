import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { sourcesOf } from "@/lib/protocols/generation/sources";

/** The pieces of a call's input. */
type Pieces = string[];

/**
 * Combines the blocks of a messages node's web searches: the call with its query, and the result.
 * Source: docs/protocols.md#s9-3.
 */
export class NodeSearches {
  readonly #queries = new Map<unknown, { input: unknown; pieces: Pieces }>();

  /** Reads the beginning of a block. For a call of the search, the caller adds its input to the returned pieces. */
  begin({ type, name, id, input }: JsonObject): Pieces | null {
    if (type !== "server_tool_use" || name !== "web_search") return null;
    const pieces: Pieces = [];
    this.#queries.set(id, { input, pieces });
    return pieces;
  }

  /** The search of a result block; null: none, or a failed search. */
  end({ type, tool_use_id: id, content }: JsonObject): Extract<GenerationEvent, { type: "search" }> | null {
    if (type !== "web_search_tool_result" || !Array.isArray(content)) return null;
    const call = this.#queries.get(id);
    const text = call === undefined ? "" : call.pieces.join("");
    const input = text === "" ? call?.input : parseJson(text);
    const query = isObject(input) && typeof input.query === "string" ? input.query : "";
    return {
      type: "search",
      id: typeof id === "string" ? id : "",
      query,
      sources: sourcesOf(content),
    };
  }
}
