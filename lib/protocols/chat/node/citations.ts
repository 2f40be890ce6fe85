import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";

type Citation = Extract<GenerationEvent, { type: "citation" }>;

/** The pages that nodes list beside the choices. Source: docs/protocols.md#s9-3. */
export class ListedPages {
  /** Titles by page address. */
  readonly found = new Map<string, string>();

  /** Reads the lists beside the choices. */
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

/** The sources of one choice's text, by its annotations. Source: docs/protocols.md#s9-3. */
export class Citations {
  readonly #cited = new Set<string>();
  /** Citations that wait for their text. */
  #waiting: Citation[] = [];

  /** Reads a piece of a message. `length`: that of the text so far, including the piece. */
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

  /** Emits the waiting citations. */
  release(events: GenerationEvent[]): void {
    for (const citation of this.#waiting) events.push(citation);
    this.#waiting = [];
  }

  /** Emits, at the end of the text, the waiting citations and the listed pages without an annotation. */
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
