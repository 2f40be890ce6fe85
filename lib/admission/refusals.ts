import { LRUCache } from "lru-cache";
import type { Admission, AdmitRequest } from "./limiter";

type Refusal = Extract<Admission, { allowed: false }>;

interface Entry {
  refusal: Refusal;
  tokens: number;
  expiresMs: number;
}

const MAX_KEYS = 10_000;

/**
 * The shared store's last refusal of each key and account, for times without an answer of the store: until the
 * refusal's wait is over, requests of the same or a larger size are refused. Refusals for calls at once are not
 * remembered, because calls can end at any time. Units: milliseconds of the local clock.
 */
export class Refusals {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_KEYS });

  /** Stores a refusal of the store. */
  remember({ keyId, account, tokens }: AdmitRequest, refusal: Refusal, nowMs: number): void {
    if (refusal.violated === "concurrent") return;
    const expiresMs = nowMs + refusal.retryAfterMs;
    if (refusal.level === "key" || !account) {
      this.#entries.set(keyId, { refusal, tokens, expiresMs });
      return;
    }
    // Other keys of the account get its state, not that of this key.
    const ofAccount = { ...refusal, state: refusal.accountState ?? refusal.state };
    this.#entries.set(account.id, { refusal: ofAccount, tokens, expiresMs });
  }

  /** Deletes the refusals that apply to a request after the store has admitted it. */
  forget({ keyId, account }: AdmitRequest): void {
    this.#entries.delete(keyId);
    if (account) this.#entries.delete(account.id);
  }

  /** The refusal that applies to a request now; null without one. */
  find({ keyId, account, tokens }: AdmitRequest, nowMs: number): Refusal | null {
    return this.#findOf(keyId, tokens, nowMs) ?? (account ? this.#findOf(account.id, tokens, nowMs) : null);
  }

  #findOf(id: string, tokens: number, nowMs: number): Refusal | null {
    const entry = this.#entries.get(id);
    if (entry === undefined) return null;
    const remainingMs = Math.ceil(entry.expiresMs - nowMs);
    if (remainingMs <= 0) {
      this.#entries.delete(id);
      return null;
    }
    if (entry.refusal.violated === "tpm" && tokens < entry.tokens) return null;
    return { ...entry.refusal, retryAfterMs: remainingMs };
  }
}
