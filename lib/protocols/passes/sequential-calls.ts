import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { JsonScan } from "@/lib/protocols/sse/payloads";

type ToolOpen = Extract<GenerationEvent, { type: "tool_open" }>;

/** An event that waits until the open call ends. Shape: `text` and `whole` are those of a call. */
interface Waiting {
  event: GenerationEvent;
  text: string;
  /** No further event of the call follows. */
  whole: boolean;
}

/**
 * Orders the events of an answer so that no two tool calls overlap: while a call is open and its input is not whole,
 * all other events wait, in order of arrival. A call ends where the next event begins something else; `tool_close` is
 * not passed on. Source: docs/responses.md#s2-2.
 */
export class SequentialCalls {
  readonly #emit: (event: GenerationEvent) => void;
  /** The slot of the call that is open; -1: none. */
  #open = -1;
  #whole = false;
  #scan: JsonScan | null = null;
  readonly #waiting: Waiting[] = [];

  /** `emit` receives the ordered events. */
  constructor(emit: (event: GenerationEvent) => void) {
    this.#emit = emit;
  }

  /** Handles the next event. */
  push(event: GenerationEvent): void {
    if (this.#open === -1) this.#pass(event);
    else this.#behind(event);
  }

  /** Emits all waiting events at the end of the answer. */
  flush(): void {
    this.#whole = true;
    for (const waiting of this.#waiting) waiting.whole = true;
    this.#release();
  }

  #pass(event: GenerationEvent): void {
    if (event.type === "tool_open") this.#openCall(event);
    this.#emit(event);
  }

  #openCall({ slot, kind }: ToolOpen): void {
    this.#open = slot;
    this.#whole = false;
    this.#scan = kind === "function" ? new JsonScan() : null;
  }

  #behind(event: GenerationEvent): void {
    switch (event.type) {
      case "tool_args":
        this.#input(event.slot, event.text);
        return;
      case "tool_close":
        this.#close(event.slot);
        return;
      case "text":
        // Some servers write line breaks between their calls.
        if (event.text.trim() === "" && this.#waiting.at(-1)?.event.type !== "text") return;
        this.#wait(event);
        return;
      case "message":
      case "reasoning":
      case "reasoning_signature":
      case "reasoning_opaque":
      case "tool_open":
      case "search":
      case "citation":
      case "media":
      case "refusal":
        this.#wait(event);
        return;
      case "finish":
        this.flush();
        this.#emit(event);
        return;
      case "start":
      case "choice":
      case "usage":
      case "other_item":
      case "hosted_call":
      case "warning":
      case "ping":
      case "error":
      case "end":
        this.#emit(event);
        return;
    }
  }

  #input(slot: number, text: string): void {
    if (slot === this.#open) {
      this.#scan?.push(text);
      this.#emit({ type: "tool_args", slot, text });
      if (this.#waiting.length > 0) this.#release();
      return;
    }
    const call = this.#waitingCall(slot);
    if (call) call.text += text;
  }

  #close(slot: number): void {
    if (slot === this.#open) {
      this.#whole = true;
      if (this.#waiting.length > 0) this.#release();
      return;
    }
    const call = this.#waitingCall(slot);
    if (call) call.whole = true;
  }

  #waitingCall(slot: number): Waiting | undefined {
    return this.#waiting.find(({ event }) => event.type === "tool_open" && event.slot === slot);
  }

  #wait(event: GenerationEvent): void {
    this.#waiting.push({ event, text: "", whole: false });
    this.#release();
  }

  /** Emits waiting events up to the next incomplete call. */
  #release(): void {
    while (this.#open === -1 || this.#whole || this.#scan?.complete === true) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#open = -1;
      this.#pass(next.event);
      if (next.event.type !== "tool_open") continue;
      this.#whole = next.whole;
      if (next.text !== "") this.#input(next.event.slot, next.text);
    }
  }
}
