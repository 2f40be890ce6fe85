import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { count } from "@/lib/protocols/generation/counts";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { Source } from "@/lib/protocols/generation/sources";

/**
 * The searches and sources of one candidate. A node sends its `groundingMetadata` beside the text, whole or in pieces;
 * the latest list of each kind counts. Source: docs/gemini.md#grounding.
 */
export class Grounding {
  #queries: string[] = [];
  #pages: (Source | null)[] = [];
  #supports: JsonObject[] = [];
  #citations: JsonObject[] = [];

  /** Reads a piece of a candidate. */
  read({ groundingMetadata: metadata, citationMetadata: citations }: JsonObject): void {
    if (isObject(metadata)) {
      const queries = listOf(metadata.webSearchQueries).filter((query) => typeof query === "string");
      if (queries.length > 0) this.#queries = queries;
      const pages = listOf(metadata.groundingChunks).map(pageOf);
      if (pages.length > 0) this.#pages = pages;
      const supports = listOf(metadata.groundingSupports).filter(isObject);
      if (supports.length > 0) this.#supports = supports;
    }
    if (!isObject(citations)) return;
    const cited = [...listOf(citations.citationSources), ...listOf(citations.citations)].filter(isObject);
    if (cited.length > 0) this.#citations = cited;
  }

  /** The citations at the end of the text, and the searches. `parts`: the text of the candidate, part by part. */
  events(parts: readonly string[], id: string): GenerationEvent[] {
    return [...this.#cited(new Places(parts)), ...this.#searched(id)];
  }

  #cited(places: Places): GenerationEvent[] {
    const events: GenerationEvent[] = [];
    for (const { segment, groundingChunkIndices: indices } of this.#supports) {
      const place = places.of(isObject(segment) ? segment : {});
      for (const index of listOf(indices)) {
        const page = typeof index === "number" ? this.#pages[index] : null;
        if (page != null) events.push({ type: "citation", ...page, ...place });
      }
    }
    for (const citation of this.#citations) {
      if (typeof citation.uri !== "string") continue;
      const title = typeof citation.title === "string" ? citation.title : "";
      events.push({ type: "citation", url: citation.uri, title, ...places.of(citation) });
    }
    return events;
  }

  /** One event a search; the first has the pages, because nodes do not say which search has found them. */
  #searched(id: string): GenerationEvent[] {
    const sources = this.#pages.filter((page) => page !== null);
    // Pages come from at least one search.
    const queries = sources.length > 0 && this.#queries.length === 0 ? [""] : this.#queries;
    return queries.flatMap((query, at): GenerationEvent[] => [
      { type: "hosted_call", tool: "webSearch" },
      { type: "search", id: `${id}-${at}`, query, sources: at === 0 ? sources : [] },
    ]);
  }
}

/** Places in the text: a node counts the bytes of one part, the gateway the characters of the whole text. */
class Places {
  readonly #parts: readonly string[];

  constructor(parts: readonly string[]) {
    this.#parts = parts;
  }

  of({ partIndex, startIndex, endIndex }: JsonObject): { start: number; end: number } {
    const before = this.#parts.slice(0, count(partIndex) ?? 0);
    const from = before.reduce((sum, part) => sum + part.length, 0);
    const bytes = new TextEncoder().encode(this.#parts.slice(before.length).join(""));
    const decoder = new TextDecoder();
    const at = (offset: unknown) => from + decoder.decode(bytes.subarray(0, count(offset) ?? 0)).length;
    const start = at(startIndex);
    return { start, end: Math.max(start, at(endIndex ?? startIndex)) };
  }
}

function pageOf(chunk: unknown): Source | null {
  const { web, retrievedContext, maps } = isObject(chunk) ? chunk : {};
  const page = [web, retrievedContext, maps].find(isObject);
  if (page === undefined || typeof page.uri !== "string") return null;
  return { url: page.uri, title: typeof page.title === "string" ? page.title : "" };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
