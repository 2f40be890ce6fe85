import { describe, expect, test, vi } from "vitest";
import type { Database } from "@/lib/db/database";
import { CallerSeal } from "@/lib/gateway/responses-state/caller-seal";
import { ResponseKeeper } from "@/lib/gateway/responses-state/response-keeper";
import { ResponseStore } from "@/lib/gateway/responses-state/store";
import type { JsonObject } from "@/lib/kernel/json-object";
import { newRequestId } from "@/lib/kernel/request-id";
import { protocols } from "@/lib/protocols/registry";
import { roomyLimits } from "./responses-client";

describe("an answer that is kept", () => {
  const response = { id: "resp_1", status: "completed", store: true, previous_response_id: null, output: [] };
  const frames = (value: JsonObject) =>
    `event: response.completed\ndata: ${JSON.stringify({ type: "response.completed", response: value, sequence_number: 7 })}\n\ndata: [DONE]\n\n`;
  const place = {
    requestId: newRequestId(),
    createdAt: new Date(),
    previousId: null,
    parentId: null,
    depth: 1,
    input: [],
  };
  /** What an account had stored before. */
  const stores = async <T>() => [{ bytes: 0n }] as T[];
  const { promptFields } = protocols.responses;
  const keeperOn = (query: Database["query"], unstored: string[] = []) => {
    const onUnstored = (reason: string) => unstored.push(reason);
    const limits = roomyLimits({ query });
    const store = new ResponseStore({
      database: { query },
      hours: 72,
      limits,
      now: () => new Date(),
      onUnstored,
    });
    return new ResponseKeeper(
      store,
      { keyId: "k", userId: "u", seal: new CallerSeal("s") },
      promptFields,
      place,
    );
  };

  test("goes out as it is when it is stored, whole and streamed", async () => {
    const keeper = keeperOn(stores);
    for (const wire of [JSON.stringify(response), frames(response)])
      expect(await keeper.keep(wire, null)).toBe(wire);
  });

  test.each([
    ["failed", async () => Promise.reject(new Error("no database"))],
    ["late", () => new Promise<never>(() => {})],
  ])("says store:false when the database is %s, and is counted", async (reason, query) => {
    vi.useFakeTimers();
    try {
      for (const wrap of [JSON.stringify, frames]) {
        const unstored: string[] = [];
        const kept = keeperOn(query, unstored).keep(wrap(response), null);
        await vi.advanceTimersByTimeAsync(2_001);
        expect(await kept).toBe(wrap({ ...response, store: false }));
        expect(unstored).toEqual([reason]);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  test("is not stored when it has failed", async () => {
    const wire = frames({ ...response, status: "failed" });
    expect(await keeperOn(() => Promise.reject(new Error("asked"))).keep(wire, null)).toBe(wire);
  });

  test("of a node that echoes its own state says what is true here", async () => {
    const wire = frames({ ...response, store: false });
    expect(await keeperOn(stores).keep(wire, null)).toBe(frames(response));
  });
});
