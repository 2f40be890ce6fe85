import { describe, expect, it } from "vitest";
import { buildSnapshot, type CatalogSnapshot } from "@/lib/router/catalog";
import { type CatalogSource, CatalogStore } from "@/lib/router/catalog-store";

function source() {
  const state = {
    version: 1,
    loads: 0,
    failing: false,
    nextPriceAt: null as Date | null,
    errors: [] as unknown[],
    seen: [] as string[],
    /** Held back until released, to let calls overlap. */
    gate: Promise.resolve(),
  };
  const made: CatalogSource = {
    async load() {
      state.loads += 1;
      const version = String(state.version);
      await state.gate;
      if (state.failing) throw new Error("database away");
      return buildSnapshot({ version, models: [], nodes: [], plans: [], nextPriceAt: state.nextPriceAt });
    },
    async readVersion() {
      if (state.failing) throw new Error("database away");
      return String(state.version);
    },
    onError: (error) => state.errors.push(error),
    onChange: (snapshot: CatalogSnapshot) => state.seen.push(snapshot.version),
  };
  return { state, made };
}

describe("catalog store", () => {
  it("reloads only when the version has changed", async () => {
    const { state, made } = source();
    const store = await CatalogStore.open(made);
    await store.check();
    expect(state.loads).toBe(1);
    state.version = 2;
    await store.check();
    expect(store.current.version).toBe("2");
    expect(state.seen).toEqual(["1", "2"]);
    await store.close();
  });

  it("watches in the background", async () => {
    const { state, made } = source();
    const store = await CatalogStore.open(made, 5);
    state.version = 2;
    for (let i = 0; i < 200 && store.current.version !== "2"; i++)
      await new Promise((done) => setTimeout(done, 5));
    expect(store.current.version).toBe("2");
    await store.close();
  });

  it("keeps the old snapshot and reports when the database is away", async () => {
    const { state, made } = source();
    const store = await CatalogStore.open(made);
    state.failing = true;
    await store.check();
    expect(store.current.version).toBe("1");
    expect(state.errors).toHaveLength(1);
    await expect(store.reload()).rejects.toThrow("database away");
    await store.close();
  });

  it("gives whoever asks during a load the one that began after they asked", async () => {
    const { state, made } = source();
    const store = await CatalogStore.open(made);
    let release = () => {};
    state.gate = new Promise((done) => {
      release = done;
    });
    const first = store.reload();
    state.version = 2;
    const second = store.reload();
    release();
    expect((await second).version).toBe("2");
    await first;
    expect(state.loads).toBe(3);
    await store.close();
  });

  it("loads nothing of a change while it is made, then all of it; of one that fails, nothing", async () => {
    const { state, made } = source();
    const store = await CatalogStore.open(made);
    let finish = () => {};
    const change = store.reloadAfter(async () => {
      state.version = 2; // a first part
      await new Promise<void>((done) => {
        finish = done;
      });
      state.version = 3;
    });
    const asked = store.reload();
    await new Promise((done) => setImmediate(done));
    expect([state.loads, store.current.version]).toEqual([1, "1"]);
    finish();
    expect([(await change).version, (await asked).version]).toEqual(["3", "3"]);
    expect(state.seen).toEqual(["1", "3"]);
    await expect(store.reloadAfter(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
    expect(state.seen).toEqual(["1", "3"]);
    expect((await store.reload()).version).toBe("3");
    await store.close();
  });

  it("reloads when a price begins whose time had not come", async () => {
    const { state, made } = source();
    state.nextPriceAt = new Date(Date.now() - 1);
    const store = await CatalogStore.open(made);
    state.nextPriceAt = null;
    await store.check();
    expect(state.loads).toBe(2);
    await store.close();
  });
});
