import { describe, expect, test } from "vitest";
import { HistoryTooLarge } from "@/lib/gateway/responses-state/store";
import { EventTexts } from "@/lib/gateway/websocket/event-texts";
import { MemoryPool, SocketMemory } from "@/lib/gateway/websocket/remembered";

const MOST = 1_000_000;
const MANY = 10_000;

function memoryWith({ most = MOST, inAll = MOST } = {}) {
  const pool = new MemoryPool(inAll);
  return { pool, memory: new SocketMemory(pool, most) };
}

function made(id: string, parentId: string | null = null, text = id) {
  const items = {
    input: [{ type: "message", role: "user", content: text }],
    output: [{ type: "message", id }],
  };
  return { id, parentId, items, tokens: 10, nodeId: "node", depth: 1, isStored: false };
}

async function recalled(memory: SocketMemory, id: string, maxBytes = MOST) {
  const chain = await memory.ofLane(null).recall(id, maxBytes, async () => {});
  return chain?.items.map(({ content, id: own }) => content ?? own) ?? null;
}

/** Source: docs/websocket.md#state. */
describe("what a socket remembers", () => {
  test("is the newest response of each lane, with all before it", async () => {
    const { memory } = memoryWith();
    const lane = memory.ofLane("a");
    await lane.remember(made("r1"));
    await lane.remember(made("r2", "r1"));
    await memory.ofLane("b").remember(made("r3", "r2"));
    await lane.remember(made("r4", "r2"));
    expect(await recalled(memory, "r1")).toBeNull();
    expect(await recalled(memory, "r2")).toBeNull();
    expect(await recalled(memory, "r3")).toEqual(["r1", "r1", "r2", "r2", "r3", "r3"]);
    expect(await recalled(memory, "r4")).toEqual(["r1", "r1", "r2", "r2", "r4", "r4"]);
  });

  test("is also what a turn names, until it has ended", async () => {
    const { memory, pool } = memoryWith();
    const lane = memory.ofLane(null);
    await lane.remember(made("r1"));
    memory.pin("r1");
    await lane.remember(made("r2"));
    expect(await recalled(memory, "r1")).toEqual(["r1", "r1"]);
    memory.unpin("r1");
    expect(await recalled(memory, "r1")).toBeNull();
    memory.close();
    expect(pool.bytes).toBe(0);
    await lane.remember(made("r3"));
    expect(pool.bytes).toBe(0);
  });

  test("has its bounds, of the socket and of all: the oldest go", async () => {
    const text = "x".repeat(MANY);
    const { memory, pool } = memoryWith({ most: 3 * MANY, inAll: 4 * MANY });
    const other = new SocketMemory(pool, 3 * MANY);
    for (const lane of ["a", "b", "c"]) await memory.ofLane(lane).remember(made(lane, null, text));
    expect(await recalled(memory, "a")).toBeNull();
    expect(await recalled(memory, "c")).toHaveLength(2);
    for (const lane of ["d", "e"]) await other.ofLane(lane).remember(made(lane, null, text));
    expect(pool.bytes).toBeLessThanOrEqual(4 * MANY);
    expect(await recalled(memory, "b")).toBeNull();
    expect(await recalled(other, "d")).toHaveLength(2);
    await other.ofLane("f").remember(made("f", null, "x".repeat(4 * MANY)));
    expect(await recalled(other, "f")).toBeNull();
  });

  test("shares what forks have in common", async () => {
    const { memory, pool } = memoryWith();
    await memory.ofLane("a").remember(made("base", null, "x".repeat(MANY)));
    for (let lane = 0; lane < 8; lane += 1)
      await memory.ofLane(`lane-${lane}`).remember(made(`r${lane}`, "base"));
    expect(pool.bytes).toBeLessThan(2 * MANY);
  });

  test("is refused beyond the size of a request, and asks before it is read when it is large", async () => {
    const { memory } = memoryWith();
    const lane = memory.ofLane(null);
    await lane.remember(made("r1", null, "x".repeat(MANY)));
    await expect(lane.recall("r1", MANY, async () => {})).rejects.toThrow(HistoryTooLarge);
    await lane.remember(made("r2", null, "x".repeat(300_000)));
    const asked: number[] = [];
    await lane.recall("r2", MOST, async (tokens) => void asked.push(tokens));
    expect(asked).toEqual([10]);
    const refused = lane.recall("r2", MOST, () => Promise.reject(new Error("not now")));
    await expect(refused).rejects.toThrow("not now");
  });
});

describe("the events of a stream", () => {
  const frames =
    'event: a\ndata: {"type":"a","é":1}\n\n: a comment\n\ndata: {"type":"b",\ndata: "x":2}\n\ndata: [DONE]\n\n';

  test("are the same texts wherever the stream is cut, without comments and its end mark", () => {
    for (let cut = 0; cut <= frames.length; cut += 1) {
      const texts = new EventTexts(null);
      const events = [...texts.push(frames.slice(0, cut)), ...texts.push(frames.slice(cut))];
      expect(events.map((text) => JSON.parse(text))).toEqual([
        { type: "a", é: 1 },
        { type: "b", x: 2 },
      ]);
    }
  });

  test("name their lane, whatever the node has sent", () => {
    const texts = new EventTexts('la"ne');
    const [event = ""] = texts.push('data: {"type":"a","stream_id":"other"}\n\n');
    expect(JSON.parse(event)).toEqual({ type: "a", stream_id: 'la"ne' });
  });
});
