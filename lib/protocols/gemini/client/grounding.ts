import type { JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";

type Citation = Extract<GenerationEvent, { type: "citation" }>;

/** Collects what an answer cites and what was searched for, as `groundingMetadata`. Source: docs/gemini.md#answer. */
export class Grounding {
  readonly #chunks = new Map<string, JsonObject>();
  readonly #supports: JsonObject[] = [];
  readonly #queries: string[] = [];
  #text = "";

  /** The text so far, whose offsets citations name. */
  add(text: string): void {
    this.#text += text;
  }

  search(query: string): void {
    if (query !== "" && !this.#queries.includes(query)) this.#queries.push(query);
  }

  /** Offsets of this protocol count bytes. */
  cite({ url, title, start, end }: Citation): void {
    if (!this.#chunks.has(url)) this.#chunks.set(url, { web: { uri: url, title } });
    const segment = {
      startIndex: Buffer.byteLength(this.#text.slice(0, start)),
      endIndex: Buffer.byteLength(this.#text.slice(0, end)),
      text: this.#text.slice(start, end),
    };
    const index = [...this.#chunks.keys()].indexOf(url);
    this.#supports.push({ segment, groundingChunkIndices: [index] });
  }

  /** Null: nothing was cited or searched for. */
  get metadata(): JsonObject | null {
    if (this.#chunks.size + this.#queries.length === 0) return null;
    const metadata: JsonObject = {};
    if (this.#queries.length > 0) metadata.webSearchQueries = this.#queries;
    if (this.#chunks.size > 0) metadata.groundingChunks = [...this.#chunks.values()];
    if (this.#supports.length > 0) metadata.groundingSupports = this.#supports;
    return metadata;
  }
}
