import type { Admission, AdmitRequest } from "./limiter";

type Refusal = Extract<Admission, { allowed: false }>;

interface Entry {
  refusal: Refusal;
  tokens: number;
  untilMs: number;
}

const MAX_KEYS = 10_000;

/**
 * The shared store's last refusal of each key, for when the store does not answer: until a refusal's wait is over, nothing
 * fits that is as large, whatever this process alone has counted. Units: milliseconds of the local clock.
 */
export class Refusals {
  readonly #entries = new Map<string, Entry>();

  /** Remembers what the store refused. */
  note({ keyId, tokens }: AdmitRequest, refusal: Refusal, nowMs: number): void {
    this.#entries.delete(keyId);
    this.#entries.set(keyId, { refusal, tokens, untilMs: nowMs + refusal.retryAfterMs });
    if (this.#entries.size <= MAX_KEYS) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }

  /** The store has let a request of the key through. */
  forget(keyId: string): void {
    this.#entries.delete(keyId);
  }

  /** The refusal that holds for a request now, null when none does. */
  find({ keyId, tokens }: AdmitRequest, nowMs: number): Refusal | null {
    const entry = this.#entries.get(keyId);
    if (entry === undefined) return null;
    const leftMs = Math.ceil(entry.untilMs - nowMs);
    if (leftMs <= 0) {
      this.#entries.delete(keyId);
      return null;
    }
    if (entry.refusal.violated === "tpm" && tokens < entry.tokens) return null;
    return { ...entry.refusal, retryAfterMs: leftMs };
  }
}
