import type { LimitValues } from "@/lib/db/schema/accounts";

/** Tokens that were counted in a second. */
export interface Reservation {
  second: number;
  reserved: number;
}

/** The verdict of the reference. */
export interface ReferenceVerdict {
  waitMs: number;
  reservation: Reservation | null;
}

/**
 * A reference implementation of the limits: stores every admitted time and recounts every window. Slow, and written
 * from the rules (docs/reliability.md#s2-8), not from the limiter.
 */
export class ReferenceLimiter {
  readonly admitted: number[] = [];
  private readonly tokens = new Map<number, number>();

  admit(now: number, limits: LimitValues, tokens: number): ReferenceVerdict {
    const waitMs = this.waitMs(now, limits, tokens);
    if (waitMs > 0) return { waitMs, reservation: null };
    return { waitMs: 0, reservation: this.count(now, limits, tokens) };
  }

  /** Counts a request, whatever the limits. */
  count(now: number, limits: LimitValues, tokens: number): Reservation {
    const reservation = { second: Math.floor(now / 1_000), reserved: this.cost(limits, tokens) };
    this.admitted.push(now);
    this.addTokens(reservation.second, reservation.reserved);
    return reservation;
  }

  correct(now: number, reservation: Reservation, actual: number): void {
    const delta = actual - reservation.reserved;
    const current = Math.floor(now / 1_000);
    if (reservation.second >= current - 60) this.addTokens(reservation.second, delta);
    else if (delta > 0) this.addTokens(current, delta);
  }

  usedRequests(now: number, limits: LimitValues): number {
    return this.admitted.filter((time) => this.inMinute(time, now, limits)).length;
  }

  usedTokens(now: number): number {
    const oldest = Math.floor(now / 1_000) - 60;
    return [...this.tokens].reduce((sum, [second, amount]) => (second >= oldest ? sum + amount : sum), 0);
  }

  /**
   * The earliest moment at which the request fits without further requests: tries every moment at which an entry
   * expires.
   */
  waitMs(now: number, limits: LimitValues, tokens: number): number {
    if (this.fits(now, limits, tokens)) return 0;
    const leaving = new Set<number>();
    for (const time of this.admitted) {
      leaving.add(time + 1_000).add(time + 60_000);
      leaving.add((Math.floor(time / 100) + 601) * 100);
    }
    for (const second of this.tokens.keys()) leaving.add((second + 61) * 1_000);
    const moments = [...leaving].filter((moment) => moment > now).sort((a, b) => a - b);
    const found = moments.find((moment) => this.fits(moment, limits, tokens));
    if (found === undefined) throw new Error("the request never fits");
    return found - now;
  }

  private fits(now: number, limits: LimitValues, tokens: number): boolean {
    const lastSecond = this.admitted.filter((time) => time + 1_000 > now).length;
    if (limits.qps !== null && lastSecond + 1 > limits.qps) return false;
    if (limits.rpm !== null && this.usedRequests(now, limits) + 1 > limits.rpm) return false;
    return limits.tpm === null || this.usedTokens(now) + this.cost(limits, tokens) <= limits.tpm;
  }

  private inMinute(time: number, now: number, limits: LimitValues): boolean {
    const exact = limits.rpm !== null && limits.rpm <= 6_000;
    return exact ? time + 60_000 > now : Math.floor(time / 100) >= Math.floor(now / 100) - 600;
  }

  private cost(limits: LimitValues, tokens: number): number {
    return limits.tpm === null ? tokens : Math.min(tokens, limits.tpm);
  }

  private addTokens(second: number, amount: number): void {
    this.tokens.set(second, Math.max(0, (this.tokens.get(second) ?? 0) + amount));
  }
}
