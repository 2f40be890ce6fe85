import type { JsonObject } from "@/lib/kernel/json";

/** Changes JSON in place and knows whether anything had to be changed. */
export class Edits {
  made = false;

  /** Sets a field that is not this value yet. */
  set(target: JsonObject, key: string, value: unknown): void {
    if (target[key] === value && key in target) return;
    target[key] = value;
    this.made = true;
  }

  /** Takes a field out. */
  drop(target: JsonObject, key: string): void {
    if (!(key in target)) return;
    delete target[key];
    this.made = true;
  }
}
