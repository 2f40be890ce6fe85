import { copyFileSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Settlement } from "@/lib/billing/settlement";
import { Spool } from "@/lib/billing/spool";
import { SpoolFile, type SpoolHandle } from "@/lib/billing/spool-file";
import { crc32c, HEADER_BYTES } from "@/lib/billing/spool-format";
import { requestId, settlementOf } from "@/tests/support/billing";
import { runDirectory } from "@/tests/support/run-directory";
import { settlementFields } from "@/tests/support/settlement-fields";

const SIZE = 64 * 1024;
const account = { userId: requestId(), keyIds: [requestId()] };

const newDirectory = (): string => mkdtempSync(path.join(runDirectory(), "spool-test-"));
const payload = (text: string): Buffer => Buffer.from(text);

async function contents(spool: SpoolFile): Promise<string[]> {
  const { payloads } = await spool.read(Number.POSITIVE_INFINITY);
  return payloads.map((bytes) => bytes.toString());
}

async function reopen(file: string): Promise<{ records: string[]; torn: boolean }> {
  const spool = await SpoolFile.open(file, SIZE);
  const records = await contents(spool);
  await spool.close();
  return { records, torn: spool.torn };
}

test("the checksum is CRC-32C", () => {
  expect(crc32c(Buffer.from("123456789"))).toBe(0xe3069283);
});

describe("a spool file", () => {
  test("takes its full size on the disk when it is made", async () => {
    const file = path.join(newDirectory(), "spool.bin");
    const spool = await SpoolFile.open(file, SIZE);
    await spool.close();
    expect(readFileSync(file)).toHaveLength(SIZE);
  });

  test("gives back what was appended, in order, also after a restart", async () => {
    const file = path.join(newDirectory(), "spool.bin");
    const spool = await SpoolFile.open(file, SIZE);
    const texts = Array.from({ length: 100 }, (_, index) => `record ${index} 漢`);
    await Promise.all(texts.map((text) => spool.append(payload(text))));
    expect(spool.depth).toBe(100);
    await spool.close();
    expect(await reopen(file)).toEqual({ records: texts, torn: false });
  });

  test("after a truncation at any offset gives a prefix of what was acknowledged", async () => {
    const directory = newDirectory();
    const file = path.join(directory, "whole.bin");
    const spool = await SpoolFile.open(file, 4_096);
    const texts = ["first", "second record", "3"];
    for (const text of texts) await spool.append(payload(text));
    await spool.close();
    const cut = path.join(directory, "cut.bin");
    for (let length = HEADER_BYTES; length < HEADER_BYTES + 90; length++) {
      copyFileSync(file, cut);
      truncateSync(cut, length);
      const reopened = await SpoolFile.open(cut, 4_096);
      const records = await contents(reopened);
      await reopened.close();
      expect(records).toEqual(texts.slice(0, records.length));
    }
  });

  test("with one changed byte anywhere in its records gives those before it and says that it is torn", async () => {
    const directory = newDirectory();
    const file = path.join(directory, "whole.bin");
    const spool = await SpoolFile.open(file, 4_096);
    for (const text of ["first", "second", "third"]) await spool.append(payload(text));
    await spool.close();
    const bytes = readFileSync(file);
    const second = HEADER_BYTES + 16 + "first".length;
    for (let offset = second; offset < second + 16 + "second".length; offset++) {
      const changed = Buffer.from(bytes);
      changed[offset] = (changed[offset] ?? 0) ^ 0x40;
      writeFileSync(path.join(directory, "changed.bin"), changed);
      expect(await reopen(path.join(directory, "changed.bin"))).toEqual({ records: ["first"], torn: true });
    }
  });

  test("acknowledges a record only after the disk has said that it has it", async () => {
    const handle = await open(path.join(newDirectory(), "spool.bin"), "wx+");
    const told: string[] = [];
    const disk: SpoolHandle = {
      read: handle.read.bind(handle),
      write: handle.write.bind(handle),
      stat: handle.stat.bind(handle),
      close: handle.close.bind(handle),
      datasync: async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        await handle.datasync();
        told.push("on the disk");
      },
    };
    const spool = await SpoolFile.on(disk, SIZE);
    told.length = 0;
    await spool.append(payload("record"));
    told.push("acknowledged");
    expect(told).toEqual(["on the disk", "acknowledged"]);
    await spool.close();
  });

  test("is used from its start again once all has been replayed, and old records never come back", async () => {
    const file = path.join(newDirectory(), "spool.bin");
    const spool = await SpoolFile.open(file, 4_096);
    for (let round = 0; round < 20; round++) {
      const texts = Array.from(
        { length: 10 },
        (_, index) => `round ${round} record ${index} ${"x".repeat(round)}`,
      );
      await Promise.all(texts.map((text) => spool.append(payload(text))));
      expect(await contents(spool)).toEqual(texts);
      const { next } = await spool.read(100);
      await spool.advance(next);
      expect(spool.depth).toBe(0);
    }
    await spool.append(payload("short"));
    await spool.close();
    const reopened = await SpoolFile.open(file, 4_096);
    expect(await contents(reopened)).toEqual(["short"]);
    expect(reopened.torn).toBe(false);
    await reopened.close();
  });

  test("goes on behind a checkpoint after a restart", async () => {
    const file = path.join(newDirectory(), "spool.bin");
    const spool = await SpoolFile.open(file, SIZE);
    for (const text of ["a", "b", "c"]) await spool.append(payload(text));
    await spool.advance((await spool.read(2)).next);
    await spool.close();
    const reopened = await SpoolFile.open(file, SIZE);
    await reopened.append(payload("d"));
    expect(await contents(reopened)).toEqual(["c", "d"]);
    await reopened.close();
  });

  test("refuses what does not fit and keeps what it has", async () => {
    const spool = await SpoolFile.open(path.join(newDirectory(), "spool.bin"), 2_048);
    await spool.append(Buffer.alloc(900, "a"));
    await expect(spool.append(Buffer.alloc(900, "b"))).rejects.toThrow("full");
    expect(spool.problem).toBe("full");
    expect(spool.depth).toBe(1);
    await spool.advance((await spool.read(2)).next);
    expect(spool.problem).toBeNull();
    await spool.append(Buffer.alloc(900, "c"));
    await spool.close();
  });

  /** Source: docs/reliability.md#r-165. */
  test("whatever the faults of the disk, every acknowledged record is replayed, and nothing that was not appended", async () => {
    const faults = fc.record({ failAt: fc.nat(30), sync: fc.boolean() });
    const appends = fc.array(fc.string({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(appends, faults, async (texts, fault) => {
        const file = path.join(newDirectory(), "spool.bin");
        await (await SpoolFile.open(file, 8_192)).close();
        const handle = await open(file, "r+");
        const spool = await SpoolFile.on(withFault(handle, fault), 8_192).catch(() => null);
        const acknowledged: string[] = [];
        for (const text of texts) {
          await spool?.append(payload(text)).then(
            () => acknowledged.push(text),
            () => {},
          );
        }
        await handle.close();
        const { records } = await reopen(file);
        expect(records.slice(0, acknowledged.length)).toEqual(acknowledged);
        expect(texts.slice(0, records.length)).toEqual(records);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a spool", () => {
  test("replays a settlement exactly as it was", async () => {
    const directory = newDirectory();
    const settlement = settlementOf(account, {
      requestId: requestId(),
      costMicroCents: 9_007_199_254_740_993n,
      wouldHaveCostMicroCents: 7n,
      usage: { ...settlementFields.usage, calls: { webSearch: 3 } },
      createdAt: new Date(1_763_700_000_123),
      userAgent: "a\u0000b\ud800",
    });
    const spool = await Spool.open(directory, SIZE);
    await spool.append(settlement);
    await spool.close();
    const again = await Spool.open(directory, SIZE);
    expect(await replayed(again)).toEqual([settlement]);
    await again.close();
  });

  test("replays a settlement of the version before, which knew one operation, as a generation", async () => {
    const directory = newDirectory();
    const { operation: _, ...older } = settlementOf(account, { requestId: requestId() });
    const spool = await Spool.open(directory, SIZE);
    await spool.append(older as Settlement); // as the version before wrote it
    expect(await replayed(spool)).toEqual([{ ...older, operation: "generate" }]);
    await spool.close();
  });

  test("of a process that ended is replayed by the next one, and by only one of two at the same time", async () => {
    const directory = newDirectory();
    const [first, second] = [await Spool.open(directory, SIZE), await Spool.open(directory, SIZE)];
    await first.append(settlementOf(account, { requestId: requestId() }));
    await second.append(settlementOf(account, { requestId: requestId() }));
    const third = await Spool.open(directory, SIZE);
    expect(third.depth).toBe(0);
    await first.close();
    await second.close();
    const fourth = await Spool.open(directory, SIZE);
    expect(await replayed(fourth)).toHaveLength(2);
    expect(await replayed(fourth)).toHaveLength(0);
    await fourth.close();
    await third.close();
  });

  test("keeps everything when the database says stop", async () => {
    const spool = await Spool.open(newDirectory(), SIZE);
    await spool.append(settlementOf(account, { requestId: requestId() }));
    expect(await spool.replay(async () => "stop")).toBe(false);
    expect(spool.depth).toBe(1);
    expect(await replayed(spool)).toHaveLength(1);
    await spool.close();
  });

  /** Source: docs/reliability.md#r-50. */
  test("in a directory that cannot be made is an error at the start", async () => {
    const file = path.join(newDirectory(), "a-file");
    writeFileSync(file, "");
    await expect(Spool.open(path.join(file, "spool"), SIZE)).rejects.toThrow();
  });
});

async function replayed(spool: Spool): Promise<Settlement[]> {
  const all: Settlement[] = [];
  await spool.replay(async (settlements) => {
    all.push(...settlements);
    return "applied";
  });
  return all;
}

/** Fails one write half-way, or one sync, and everything after it. */
function withFault(handle: SpoolHandle, fault: { failAt: number; sync: boolean }): SpoolHandle {
  let calls = 0;
  const failing = (): boolean => calls++ >= fault.failAt;
  return {
    read: handle.read.bind(handle),
    stat: handle.stat.bind(handle),
    close: handle.close.bind(handle),
    write: (async (bytes: Buffer, offset: number, length: number, position: number) => {
      if (fault.sync || !failing()) return handle.write(bytes, offset, length, position);
      await handle.write(bytes, offset, Math.floor(length / 2), position);
      throw new Error("EIO: the test's disk failed");
    }) as SpoolHandle["write"],
    datasync: async () => {
      if (fault.sync && failing()) throw new Error("EIO: the test's disk failed");
      return handle.datasync();
    },
  };
}
