/**
 * Follows a JSON text that arrives in fragments, without keeping it: says when the first value that is
 * an object has been closed. It balances brackets; it does not validate.
 */
export class JsonScan {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #complete = false;

  /** True once the outermost object is closed. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Takes the next fragment; returns the offset just behind the closing bracket, or -1 while it is open. */
  push(text: string): number {
    for (let at = 0; at < text.length; at += 1) {
      if (this.#step(text.charCodeAt(at))) return at + 1;
    }
    return -1;
  }

  #step(code: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === 92) this.#escaped = true;
      else if (code === 34) this.#inString = false;
      return false;
    }
    if (code === 34) this.#inString = true;
    else if (code === 123 || code === 91) this.#depth += 1;
    else if (code === 125 || code === 93) {
      this.#depth -= 1;
      if (this.#depth === 0) {
        this.#complete = true;
        return true;
      }
    }
    return false;
  }
}
