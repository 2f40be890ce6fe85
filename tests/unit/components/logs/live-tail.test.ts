import { describe, expect, test, vi } from "vitest";
import type { LogFilters } from "@/components/logs/log-query";
import type { LogRow } from "@/components/logs/log-rows";
import { beginningOf, readNewest, reduce, sleep } from "@/components/logs/use-live-tail";

type State = Parameters<typeof reduce>[0];

/** A row that began in this second. */
function row(second: number): LogRow {
  const createdAt = new Date(Date.UTC(2026, 10, 21) + second * 1000).toISOString();
  // Only the id and the time are read.
  return { requestId: `request-${String(second).padStart(5, "0")}`, createdAt } as LogRow;
}

const rows = (...seconds: number[]) => seconds.map(row);
const secondsOf = (found: readonly LogRow[]) => found.map(({ requestId }) => Number(requestId.slice(-5)));
const start = (...seconds: number[]): State => ({
  rows: rows(...seconds),
  waiting: [],
  cut: false,
  added: 0,
  error: null,
});
const found = (seconds: number[], fields: { hold?: boolean; complete?: boolean } = {}) => ({
  type: "found" as const,
  rows: rows(...seconds),
  complete: true,
  hold: false,
  ...fields,
});

describe("the live tail", () => {
  test("adds new rows in the order of time, also one that began before others and ended after them", () => {
    const next = reduce(start(9, 5), found([12, 7]));
    expect(secondsOf(next.rows)).toEqual([12, 9, 7, 5]);
    expect(next.added).toBe(2);
  });

  test("lets rows wait while the list is held, each counted once, and shows them together", () => {
    const held = reduce(reduce(start(1), found([2], { hold: true })), found([2, 3], { hold: true }));
    expect([secondsOf(held.rows), secondsOf(held.waiting), held.added]).toEqual([[1], [3, 2], 0]);
    const shown = reduce(held, { type: "released" });
    expect([secondsOf(shown.rows), shown.waiting, shown.added]).toEqual([[3, 2, 1], [], 2]);
  });

  test("drops the older rows rather than leave a gap after more than it reads", () => {
    const next = reduce(start(1), found([9, 8], { complete: false }));
    expect(secondsOf(next.rows)).toEqual([9, 8]);
    const more = reduce(next, found([10]));
    expect(secondsOf(more.rows)).toEqual([10, 9, 8]);
  });

  test("keeps at most two hundred rows, shown or waiting", () => {
    const many = Array.from({ length: 250 }, (_, index) => index + 10);
    expect(reduce(start(1), found(many)).rows).toHaveLength(200);
    const held = reduce(start(1), found(many, { hold: true }));
    expect([held.waiting.length, held.cut]).toEqual([200, true]);
    expect(secondsOf(reduce(held, { type: "released" }).rows).at(-1)).toBe(60);
  });
});

describe("a poll of the live tail", () => {
  const took = (latencyMs: number, rowOfSecond: LogRow): LogRow => ({ ...rowOfSecond, latencyMs });
  const quick = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) => took(100, row(from - index)));
  /** Answers with the log page by page, and counts the pages. */
  function logOf(all: LogRow[]) {
    const asked = { pages: 0 };
    const ask = ({ cursor }: LogFilters) => {
      const at = Number(cursor ?? 0);
      asked.pages += 1;
      const end = at + 50;
      return Promise.resolve({ data: all.slice(at, end), nextCursor: end < all.length ? String(end) : null });
    };
    return { ask, asked };
  }

  test("finds a slow request under a page of newer ones when it reads below what is known", async () => {
    const log = quick(1000, 901);
    const slow = took(500_000, row(930));
    const known = log.slice(0, 50);
    const { ask, asked } = logOf([...log.slice(0, 71), slow, ...log.slice(71)]);
    const options = { ask, from: null, known, begun: beginningOf(known) };
    expect(await readNewest({ ...options, deep: false })).toEqual({ rows: [], complete: true });
    expect(asked.pages).toBe(1);
    const deep = await readNewest({ ...options, deep: true });
    expect(deep, "what had ended before stays below the page").toEqual({ rows: [slow], complete: true });
  });

  test("tells of a gap when all that it reads is new", async () => {
    const { ask, asked } = logOf(quick(1000, 600));
    const known = quick(400, 351);
    const found = await readNewest({ ask, from: null, known, begun: beginningOf(known), deep: false });
    expect([found.rows.length, found.complete, asked.pages]).toEqual([200, false, 4]);
  });

  test("leaves no listener behind when it waits for the next one", async () => {
    const { signal } = new AbortController();
    const kept = vi.spyOn(signal, "addEventListener");
    const dropped = vi.spyOn(signal, "removeEventListener");
    await sleep(1, signal);
    expect(dropped.mock.calls.map(([name, listener]) => [name, listener])).toEqual(
      kept.mock.calls.map(([name, listener]) => [name, listener]),
    );
    expect(kept).toHaveBeenCalledOnce();
  });
});
