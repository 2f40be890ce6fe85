import type { StreamForm } from "@/lib/protocols/adapters/stream-form";

const DATA = "data: ";
const END_OF_FRAME = "\r\n\r\n";

/** The form of a stream for a client that does not ask for server-sent events. Source: docs/gemini.md#streams. */
export function arrayForm(query: URLSearchParams): StreamForm | null {
  return query.get("alt") === "sse" ? null : new JsonArray();
}

/** A stream as one JSON array, an element for each frame. */
class JsonArray implements StreamForm {
  readonly type = "application/json";
  #before = "[";
  #rest = "";

  write(frames: string): string {
    let text = this.#rest + frames;
    let wire = "";
    let end = text.indexOf(END_OF_FRAME);
    while (end >= 0) {
      const frame = text.slice(0, end);
      const start = frame.indexOf(DATA);
      wire += `${this.#before}${frame.slice(start + DATA.length)}`;
      this.#before = ",\r\n";
      text = text.slice(end + END_OF_FRAME.length);
      end = text.indexOf(END_OF_FRAME);
    }
    // White space between frames keeps the stream open.
    const isPing = text.trim() === "";
    this.#rest = isPing ? "" : text;
    return isPing ? wire + text : wire;
  }

  end(): string {
    return this.#before === "[" ? "[]" : "]";
  }

  whole(json: string): string {
    return `[${json}]`;
  }
}
