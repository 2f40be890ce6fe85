import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";

type Citation = Extract<GenerationEvent, { type: "citation" }>;

/** The lists beside the choices in which nodes tell what they have found. Source: docs/protocols.md#s9-3. */
export class ListedPages {
  /** Titles by the addresses of pages. */
  readonly found = new Map<string, string>();

  /** Takes what stands beside the choices. */
  read(chunk: JsonObject): void {
    for (const name of ["search_results", "web_search", "citations"])
      for (const page of arrayOf(chunk[name])) this.#add(page);
  }

  #add(page: unknown): void {
    if (typeof page === "string") this.#note(page, "");
    if (!isObject(page)) return;
    const url = page.url ?? page.link;
    if (typeof url === "string") this.#note(url, textOr(page.title));
  }

  #note(url: string, title: string): void {
    if (!this.found.get(url)) this.found.set(url, title);
  }
}

/** Where the text of one choice comes from, by its annotations. Source: docs/protocols.md#s9-3. */
export class Citations {
  readonly #cited = new Set<string>();
  /** They wait for the text that they belong to. */
  #waiting: Citation[] = [];

  /** Takes a piece of a message. `length`: of its text so far, with that of the piece. */
  read({ annotations }: JsonObject, length: number): void {
    for (const annotation of arrayOf(annotations)) {
      if (!isObject(annotation) || annotation.type !== "url_citation") continue;
      const {
        url,
        title,
        start_index: start,
        end_index: end,
      } = isObject(annotation.url_citation) ? annotation.url_citation : annotation;
      if (typeof url !== "string") continue;
      this.#cited.add(url);
      const place = { start: placeOr(start, length), end: placeOr(end, length) };
      this.#waiting.push({ type: "citation", url, title: textOr(title), ...place });
    }
  }

  /** Gives those that have come. */
  release(events: GenerationEvent[]): void {
    for (const citation of this.#waiting) events.push(citation);
    this.#waiting = [];
  }

  /** At the end of the text: what is left, and the listed pages that no annotation has cited. */
  releaseAll({ found }: ListedPages, length: number, events: GenerationEvent[]): void {
    this.release(events);
    for (const [url, title] of found)
      if (!this.#cited.has(url)) events.push({ type: "citation", url, title, start: length, end: length });
  }
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOr(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function placeOr(place: unknown, otherwise: number): number {
  return typeof place === "number" ? place : otherwise;
}
