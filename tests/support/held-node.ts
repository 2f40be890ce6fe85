import type { ServerResponse } from "node:http";
import type { UpstreamCall } from "./scripted-upstream";

/** One call that a held node has begun to answer. */
export interface HeldCall {
  body: Record<string, unknown>;
  /** The prompt's last text. */
  text: string;
  /** Ends the answer with its usage. */
  finish(): void;
  /** Writes more of the answer. Returns false when the gateway does not read. */
  write(text: string): boolean;
  /** Resolves when the gateway has left. */
  left: Promise<void>;
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function chunk(fields: object): string {
  const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "up" };
  return `data: ${JSON.stringify({ ...head, ...fields })}\n\n`;
}

const delta = (content: string) =>
  chunk({ choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }] });

/** A chat node that begins each answer at once and ends it when a test says so. */
export class HeldNode {
  readonly calls: HeldCall[] = [];
  #came: (() => void)[] = [];

  readonly answer = (response: ServerResponse, { body }: UpstreamCall): void => {
    const asked = JSON.parse(body);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(delta("Hello"));
    const end = chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    this.calls.push({
      body: asked,
      text: String(asked.messages.at(-1)?.content),
      finish: () => response.end(`${end}${chunk({ choices: [], usage: USAGE })}data: [DONE]\n\n`),
      write: (text) => response.write(delta(text)),
      left: new Promise((resolve) => response.once("close", resolve)),
    });
    for (const came of this.#came.splice(0)) came();
  };

  /** Resolves once this many calls have come. */
  async came(count: number): Promise<HeldCall[]> {
    while (this.calls.length < count) await new Promise<void>((resolve) => this.#came.push(resolve));
    return this.calls.slice(0, count);
  }

  /** Forgets the calls. */
  reset(): void {
    this.calls.length = 0;
  }
}
