const FRAME_END = "\n\n";
const DATA = "data:";

/**
 * The events of a stream of frames as the JSON texts that a socket sends. Comments and the end mark of streams are left
 * out. Source: docs/websocket.md#messages.
 */
export class EventTexts {
  readonly #suffix: string;
  #begun = "";

  /** `lane`: told in every event; null: not. */
  constructor(lane: string | null) {
    this.#suffix = laneMember(lane);
  }

  /** The events that end in this piece of the stream. */
  push(frames: string): string[] {
    const text = this.#begun + frames;
    const events: string[] = [];
    let start = 0;
    for (let end = text.indexOf(FRAME_END); end !== -1; end = text.indexOf(FRAME_END, start)) {
      const data = dataOf(text.slice(start, end));
      if (data.endsWith("}")) events.push(`${data.slice(0, -1)}${this.#suffix}}`);
      start = end + FRAME_END.length;
    }
    this.#begun = text.slice(start);
    return events;
  }
}

/** The lane as the last member of an event; "" for the lane without a name. */
function laneMember(lane: string | null): string {
  return lane === null ? "" : `,"stream_id":${JSON.stringify(lane)}`;
}

function dataOf(frame: string): string {
  let data = "";
  for (const line of frame.split("\n")) {
    if (!line.startsWith(DATA)) continue;
    const value = line.slice(DATA.length + (line[DATA.length] === " " ? 1 : 0));
    data = data === "" ? value : `${data}\n${value}`;
  }
  return data.trimEnd();
}
