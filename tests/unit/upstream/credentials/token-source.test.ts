import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { CredentialError } from "@/lib/upstream/credentials/credential-error";
import type { Obtained } from "@/lib/upstream/credentials/exchange";
import { TokenSource } from "@/lib/upstream/credentials/token-source";
import { ManualClock } from "./manual-clock";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** An exchange that is under way. */
interface Pending {
  signal: AbortSignal;
  succeed: (lifeMs: number | null, token?: string) => Promise<void>;
  fail: (reason: unknown) => Promise<void>;
}

let clock: ManualClock;
let exchanges: Pending[];
let warnings: string[];
let source: TokenSource;

beforeEach(() => {
  clock = new ManualClock();
  exchanges = [];
  warnings = [];
  source = new TokenSource({
    exchange,
    clock,
    startTimer: clock.startTimer,
    onWarning: ({ code }) => warnings.push(code),
  });
});

function exchange(signal: AbortSignal): Promise<Obtained> {
  const number = exchanges.length + 1;
  return new Promise((resolve, reject) => {
    exchanges.push({
      signal,
      succeed: (lifeMs, token = `token ${number}`) => {
        resolve({ access: { type: "bearer", token }, principal: "p", lifeMs });
        return settled();
      },
      fail: (reason) => {
        reject(reason);
        return settled();
      },
    });
  });
}

/** All that follows from settled promises has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function last(): Pending {
  const found = exchanges.at(-1);
  if (found === undefined) throw new Error("no exchange");
  return found;
}

function tokenOf(obtained: Obtained | null): string | null {
  return obtained?.access.type === "bearer" ? obtained.access.token : null;
}

/** Gets a first token. */
async function start(lifeMs: number | null): Promise<Obtained> {
  const got = source.get();
  await last().succeed(lifeMs);
  return got;
}

function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "none",
    (error: unknown) => (error instanceof CredentialError ? error.code : String(error)),
  );
}

/** Source: docs/clouds.md#refresh. */
describe("a token source", () => {
  test("makes one exchange for a thousand callers at once", async () => {
    const calls = Array.from({ length: 1_000 }, () => source.get());
    expect(exchanges).toHaveLength(1);
    await last().succeed(HOUR_MS);
    expect(new Set((await Promise.all(calls)).map(tokenOf))).toEqual(new Set(["token 1"]));
    expect(clock.timers).toBe(0);
  });

  test("makes one exchange for a thousand callers at the moment when the token ends", async () => {
    await start(HOUR_MS);
    clock.advance(HOUR_MS);
    const calls = Array.from({ length: 1_000 }, () => source.get());
    expect(exchanges).toHaveLength(2);
    await last().succeed(HOUR_MS);
    expect(new Set((await Promise.all(calls)).map(tokenOf))).toEqual(new Set(["token 2"]));
  });

  test("asks nobody again for what does not expire", async () => {
    await start(null);
    clock.advance(10_000 * HOUR_MS);
    expect(tokenOf(source.ready())).toBe("token 1");
    expect(exchanges).toHaveLength(1);
  });

  test.each([
    ["an hour", HOUR_MS, 48 * MINUTE_MS],
    ["twelve hours", 12 * HOUR_MS, 576 * MINUTE_MS],
    ["twenty minutes", 20 * MINUTE_MS, 15 * MINUTE_MS],
    ["ten minutes", 10 * MINUTE_MS, 5 * MINUTE_MS],
    ["two minutes", 2 * MINUTE_MS, MINUTE_MS],
  ])("refreshes in the background what lives for %s, and not before", async (_, lifeMs, atMs) => {
    await start(lifeMs);
    clock.advance(atMs - 1);
    expect(tokenOf(await source.get())).toBe("token 1");
    expect(exchanges).toHaveLength(1);
    clock.advance(1);
    expect(tokenOf(await source.get())).toBe("token 1");
    expect(tokenOf(source.ready())).toBe("token 1");
    expect(exchanges).toHaveLength(2);
    await last().succeed(lifeMs);
    expect(tokenOf(source.ready())).toBe("token 2");
    expect(warnings).toEqual([]);
  });

  test("only warns when a refresh fails while the token is valid", async () => {
    await start(HOUR_MS);
    clock.advance(50 * MINUTE_MS);
    source.ready();
    await last().fail(new CredentialError("http_503"));
    expect(warnings).toEqual(["http_503"]);
    expect(tokenOf(await source.get())).toBe("token 1");
  });

  test("uses a token up to ten seconds before its end, a short one for nine tenths of its life", async () => {
    await start(HOUR_MS);
    clock.advance(HOUR_MS - 10 * SECOND_MS - 1);
    expect(source.ready()).not.toBeNull();
    clock.advance(1);
    expect(source.ready()).toBeNull();
    await last().succeed(20 * SECOND_MS);
    clock.advance(18 * SECOND_MS - 1);
    expect(source.ready()).not.toBeNull();
    clock.advance(1);
    expect(source.ready()).toBeNull();
  });

  test("pauses after failures for 1 s, doubled up to 60 s, and then starts anew", async () => {
    const pauses: number[] = [];
    for (let failure = 0; failure < 8; failure++) {
      const failed = codeOf(source.get());
      await last().fail(new CredentialError("invalid_grant"));
      expect(await failed).toBe("invalid_grant");
      const asked = exchanges.length;
      let pauseS = 0;
      while (exchanges.length === asked) {
        clock.advance(SECOND_MS);
        pauseS++;
        const next = source.get();
        if (exchanges.length === asked) expect(await codeOf(next)).toBe("invalid_grant");
        else next.catch(() => {});
      }
      pauses.push(pauseS);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    await last().succeed(HOUR_MS);
    clock.advance(HOUR_MS);
    const failed = codeOf(source.get());
    await last().fail(new CredentialError("invalid_grant"));
    expect(await failed).toBe("invalid_grant");
    clock.advance(SECOND_MS);
    source.get().catch(() => {});
    expect(exchanges).toHaveLength(11);
  });

  test("fails within 3 s when an exchange hangs, and ends it", async () => {
    const failed = codeOf(source.get());
    clock.advance(3 * SECOND_MS - 1);
    expect(last().signal.aborted).toBe(false);
    clock.advance(1);
    expect(await failed).toBe("timeout");
    expect(last().signal.aborted).toBe(true);
    await last().succeed(HOUR_MS);
    expect(source.ready()).toBeNull();
  });

  test("gives up a hanging refresh too, so that a later one can succeed", async () => {
    await start(HOUR_MS);
    clock.advance(50 * MINUTE_MS);
    source.ready();
    clock.advance(3 * SECOND_MS);
    await settled();
    expect(warnings).toEqual(["timeout"]);
    clock.advance(SECOND_MS);
    source.ready();
    await last().succeed(HOUR_MS);
    expect(tokenOf(source.ready())).toBe("token 3");
  });

  test("tells nothing of a failure that is not its own", async () => {
    const failed = source.get().catch((reason: unknown) => reason);
    await last().fail(new TypeError("secret-canary"));
    const error = await failed;
    expect(error).toMatchObject({ code: "internal" });
    expect(String((error as Error).stack)).not.toContain("secret-canary");
  });

  test("never uses a token beyond its end and never asks twice at once, whatever happens", async () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: HOUR_MS }) }),
      fc.record({ type: fc.constant("succeed" as const), ms: fc.integer({ min: 1, max: 2 * HOUR_MS }) }),
      fc.record({
        type: fc.constantFrom("fail" as const, "get" as const, "reject" as const),
        ms: fc.constant(0),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const own = new ManualClock();
        let running = 0;
        let end: (act: (resolve: (got: Obtained) => void, reject: (error: Error) => void) => void) => void =
          () => {};
        const ends = new Map<string, number>();
        const made = new TokenSource({
          clock: own,
          startTimer: own.startTimer,
          onWarning: () => {},
          exchange: (signal) => {
            running++;
            expect(running).toBe(1);
            return new Promise<Obtained>((resolve, reject) => {
              end = (act) => act(resolve, reject);
              signal.addEventListener("abort", () => reject(new CredentialError("timeout")));
            }).finally(() => running--);
          },
        });
        for (const { type, ms } of steps) {
          if (type === "advance") own.advance(ms);
          if (type === "succeed") {
            const token = `t${ends.size}`;
            ends.set(token, own.nowMs() + ms);
            end((resolve) => resolve({ access: { type: "bearer", token }, principal: null, lifeMs: ms }));
          }
          if (type === "fail") end((_, reject) => reject(new CredentialError("invalid_grant")));
          if (type === "get") made.get().catch(() => {});
          if (type === "reject") {
            const held = made.ready();
            if (held !== null) void made.refreshAfterRejection(held.access);
          }
          await settled();
          const token = tokenOf(made.ready());
          if (token !== null) expect(ends.get(token)).toBeGreaterThan(own.nowMs());
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Source: docs/clouds.md#refresh. */
describe("a refresh after a node refused a token", () => {
  test("is one exchange for a thousand refusals of the same token", async () => {
    const { access } = await start(HOUR_MS);
    clock.advance(MINUTE_MS);
    const refreshed = Array.from({ length: 1_000 }, () => source.refreshAfterRejection(access));
    expect(exchanges).toHaveLength(2);
    await last().succeed(HOUR_MS);
    expect(new Set((await Promise.all(refreshed)).map(tokenOf))).toEqual(new Set(["token 2"]));
    expect(tokenOf(await source.refreshAfterRejection(access))).toBe("token 2");
    expect(exchanges).toHaveLength(2);
  });

  test("is none for what does not expire, or is younger than ten seconds", async () => {
    const forever = await start(null);
    clock.advance(HOUR_MS);
    expect(await source.refreshAfterRejection(forever.access)).toBeNull();
    expect(exchanges).toHaveLength(1);

    source = new TokenSource({ exchange, clock, startTimer: clock.startTimer, onWarning: () => {} });
    const young = await start(HOUR_MS);
    clock.advance(10 * SECOND_MS - 1);
    expect(await source.refreshAfterRejection(young.access)).toBeNull();
    expect(exchanges).toHaveLength(2);
  });

  test("gives nothing where the vendor tells the same token once more", async () => {
    const { access } = await start(HOUR_MS);
    clock.advance(MINUTE_MS);
    const refreshed = source.refreshAfterRejection(access);
    await last().succeed(HOUR_MS, "token 1");
    expect(await refreshed).toBeNull();
  });

  test("gives nothing when it fails, warns once, and keeps the token for other nodes", async () => {
    const { access } = await start(HOUR_MS);
    clock.advance(MINUTE_MS);
    const refreshed = [source.refreshAfterRejection(access), source.refreshAfterRejection(access)];
    await last().fail(new CredentialError("http_500"));
    expect(await Promise.all(refreshed)).toEqual([null, null]);
    expect(warnings).toEqual(["http_500"]);
    expect(tokenOf(await source.get())).toBe("token 1");
    expect(await source.refreshAfterRejection(access)).toBeNull();
    expect(exchanges).toHaveLength(2);
  });
});
