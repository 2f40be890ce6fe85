import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { GenerationEvent } from "@/lib/protocols/generation/events";

/**
 * Reads where a chat node's text comes from: the annotations of the message, and the lists beside the choices in which
 * nodes tell what they have found. Source: docs/protocols.md#s9-3.
 */
export class Citations {
  readonly #cited = new Set<string>();
  /** Pages of the lists, by their addresses, with their titles. */
  readonly #found = new Map<string, string>();

  /** Takes a piece of a message. `length`: of its text so far, with that of the piece. */
  read({ annotations }: JsonObject, length: number, events: GenerationEvent[]): void {
    if (!Array.isArray(annotations)) return;
    for (const annotation of annotations) {
      if (!isObject(annotation) || annotation.type !== "url_citation") continue;
      const {
        url,
        title,
        start_index: start,
        end_index: end,
      } = isObject(annotation.url_citation) ? annotation.url_citation : annotation;
      if (typeof url !== "string") continue;
      this.#cited.add(url);
      events.push({
        type: "citation",
        url,
        title: typeof title === "string" ? title : "",
        start: placeOr(start, length),
        end: placeOr(end, length),
      });
    }
  }

  /** Takes what stands beside the choices. */
  find(chunk: JsonObject): void {
    for (const name of ["search_results", "web_search", "citations"])
      for (const page of arrayOf(chunk[name])) this.#add(page);
  }

  /** The pages that no annotation has cited, at the end of the text. */
  rest(length: number, events: GenerationEvent[]): void {
    for (const [url, title] of this.#found)
      if (!this.#cited.has(url)) events.push({ type: "citation", url, title, start: length, end: length });
    this.#found.clear();
  }

  #add(page: unknown): void {
    if (typeof page === "string") this.#note(page, "");
    if (!isObject(page)) return;
    const url = page.url ?? page.link;
    if (typeof url === "string") this.#note(url, typeof page.title === "string" ? page.title : "");
  }

  #note(url: string, title: string): void {
    if (!this.#found.get(url)) this.#found.set(url, title);
  }
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function placeOr(place: unknown, otherwise: number): number {
  return typeof place === "number" ? place : otherwise;
}
