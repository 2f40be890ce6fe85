import type { Admission, AdmitRequest } from "./limiter";

type Refusal = Extract<Admission, { allowed: false }>;

interface Entry {
  refusal: Refusal;
  tokens: number;
  expiresMs: number;
}

const MAX_KEYS = 10_000;

/**
 * The shared store's last refusal of each key, for times without an answer of the store: until the refusal's wait is
 * over, requests of the same or a larger size are refused. Units: milliseconds of the local clock.
 */
export class Refusals {
  readonly #entries = new Map<string, Entry>();

  /** Stores a refusal of the store. */
  remember({ keyId, tokens }: AdmitRequest, refusal: Refusal, nowMs: number): void {
    this.#entries.delete(keyId);
    this.#entries.set(keyId, { refusal, tokens, expiresMs: nowMs + refusal.retryAfterMs });
    if (this.#entries.size <= MAX_KEYS) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }

  /** Deletes a key's refusal after the store has admitted a request of the key. */
  forget(keyId: string): void {
    this.#entries.delete(keyId);
  }

  /** The refusal that applies to a request now; null without one. */
  find({ keyId, tokens }: AdmitRequest, nowMs: number): Refusal | null {
    const entry = this.#entries.get(keyId);
    if (entry === undefined) return null;
    const remainingMs = Math.ceil(entry.expiresMs - nowMs);
    if (remainingMs <= 0) {
      this.#entries.delete(keyId);
      return null;
    }
    if (entry.refusal.violated === "tpm" && tokens < entry.tokens) return null;
    return { ...entry.refusal, retryAfterMs: remainingMs };
  }
}
