/**
 * Writes `{"input": text}` while the text arrives in fragments: the pieces together are exactly the JSON.stringify
 * result for the whole text. Source: docs/contract.md#b16.
 */
export class InputJson {
  /** The first half of a split surrogate pair. */
  #half = "";
  #open = true;

  /** Handles a fragment and returns the JSON that it adds. */
  push(text: string): string {
    const whole = this.#half + text;
    const end = /[\ud800-\udbff]$/.test(whole) ? whole.length - 1 : whole.length;
    this.#half = whole.slice(end);
    return this.#start() + escaped(whole.slice(0, end));
  }

  /** The end of the JSON; call it once. */
  close(): string {
    return `${this.#start()}${escaped(this.#half)}"}`;
  }

  #start(): string {
    if (!this.#open) return "";
    this.#open = false;
    return '{"input":"';
  }
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
