import { randomBytes } from "node:crypto";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DECODING, decodeBody, decoderFor, type OpenDecoder } from "@/lib/gateway/decode-body";
import { overloaded } from "@/lib/kernel/errors";
import { FairSemaphore } from "@/lib/kernel/fair-semaphore";
import { Cancellation } from "@/lib/upstream/cancellation";

const MIB = 1024 * 1024;
const refusal = () => overloaded("compressed-bodies", "Too many.");

/** The pieces of a body, counted as they are taken. */
class Source {
  taken = 0;
  closed = false;
  readonly #pieces: readonly Uint8Array[];

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (const piece of this.#pieces) {
        this.taken += 1;
        yield piece;
      }
    } finally {
      this.closed = true;
    }
  }
}

function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

function read(
  pieces: AsyncIterable<Uint8Array>,
  open: OpenDecoder,
  maxBytes: number,
  semaphore = new FairSemaphore({ ...DECODING, refusal }),
  { signal = new Cancellation(), accountId = "account" } = {},
): Promise<Buffer> {
  return decodeBody(pieces, { open, maxBytes, semaphore, accountId, signal });
}

function decode(source: Source, coding: string, maxBytes = 10 * MIB): Promise<Buffer> {
  const open = decoderFor(coding);
  if (open === null) throw new Error(`${coding} needs no decoder`);
  return read(source, open, maxBytes);
}

/** Decoders whose number and output is counted. */
function watched(coding: string) {
  const opened = { decoders: 0, bytes: 0, now: 0, most: 0 };
  const open = (first: Uint8Array) => {
    const decoder = decoderFor(coding)?.(first);
    if (decoder === undefined) throw new Error(`${coding} needs no decoder`);
    opened.decoders += 1;
    opened.now += 1;
    opened.most = Math.max(opened.most, opened.now);
    const destroy = decoder.destroy.bind(decoder);
    let ended = false;
    decoder.destroy = (error) => {
      if (!ended) opened.now -= 1;
      ended = true;
      return destroy(error);
    };
    decoder.on("data", (part: Buffer) => {
      opened.bytes += part.length;
    });
    return decoder;
  };
  return { open, opened };
}

const packings = [
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
] as const;

describe("a compressed body", () => {
  test("is the same however it was packed and cut", async () => {
    const cases = fc.record({
      bytes: fc.uint8Array({ maxLength: 5_000 }),
      size: fc.integer({ min: 1, max: 600 }),
      packing: fc.constantFrom(...packings),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ bytes, size, packing: [coding, pack] }) => {
        const decoded = await decode(new Source(cut(pack(bytes), size)), coding);
        expect(decoded.equals(bytes)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test("is never refused by chance: random bytes are opened or refused as a request, nothing else", async () => {
    const cases = fc.record({
      bytes: fc.uint8Array({ maxLength: 300 }),
      coding: fc.constantFrom("gzip", "deflate", "br"),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ bytes, coding }) => {
        const code = await decode(new Source([bytes]), coding).then(
          () => "INVALID_REQUEST",
          ({ code }: { code: string }) => code,
        );
        expect(code).toBe("INVALID_REQUEST");
      }),
      { numRuns: 500 },
    );
  });

  test("that is a bomb is given up at the first megabyte, with the rest unopened", async () => {
    for (const [coding, pack] of packings.slice(0, 3)) {
      const source = new Source(cut(pack(Buffer.alloc(64 * MIB)), 4_096));
      const { open, opened } = watched(coding);
      await expect(read(source, open, 128 * MIB)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
      expect(opened.bytes).toBeLessThan(2 * MIB);
      expect(source.closed).toBe(true);
    }
  });

  test("that has not come whole is kept as it came", async () => {
    const packed = gzipSync(Buffer.alloc(MIB - 1));
    const { open, opened } = watched("gzip");
    async function* slow() {
      yield packed.subarray(0, -1);
      expect(opened).toMatchObject({ decoders: 0, bytes: 0 });
      yield packed.subarray(-1);
    }
    expect(await read(slow(), open, MIB)).toHaveLength(MIB - 1);
    expect(opened.decoders).toBe(1);
  });

  test("waits as it came while four others are opened", async () => {
    const packed = gzipSync(randomBytes(MIB / 2).toString("base64"));
    const { open, opened } = watched("gzip");
    const semaphore = new FairSemaphore({ ...DECODING, waitMs: 60_000, refusal });
    const bodies = Array.from({ length: 20 }, (_, index) =>
      read(new Source(cut(packed, 65_536)), open, MIB, semaphore, { accountId: `account ${index}` }),
    );
    const broken = read(new Source([Buffer.from("no gzip")]), open, MIB, semaphore);
    await expect(broken).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect(new Set((await Promise.all(bodies)).map(({ length }) => length)).size).toBe(1);
    expect(opened).toMatchObject({ decoders: 21, most: 4 });
  });

  /** Source: docs/reliability.md#bulk. */
  test("is opened while another account floods, whose bodies are opened two at a time", async () => {
    const packed = gzipSync(randomBytes(MIB / 2).toString("base64"));
    const { open, opened } = watched("gzip");
    const semaphore = new FairSemaphore({ ...DECODING, waitMs: 60_000, refusal });
    let ended = 0;
    const flood = Array.from({ length: 20 }, () =>
      read(new Source(cut(packed, 65_536)), open, MIB, semaphore).finally(() => {
        ended += 1;
      }),
    );
    const bystander = { accountId: "bystander" };
    const hello = await read(new Source([gzipSync("Hello")]), open, MIB, semaphore, bystander);
    expect(hello.toString()).toBe("Hello");
    expect(ended).toBeLessThan(3);
    await Promise.all(flood);
    expect(opened).toMatchObject({ decoders: 21, most: 3 });
  });

  test("that is not opened in time is refused for now, unopened, and the next one is opened", async () => {
    const packed = gzipSync("Hello");
    const { open, opened } = watched("gzip");
    const semaphore = new FairSemaphore({ concurrency: 1, waitMs: 5, refusal });
    const release = await semaphore.acquire("another");
    await expect(read(new Source([packed]), open, MIB, semaphore)).rejects.toMatchObject({ status: 503 });
    release();
    expect(opened.decoders).toBe(0);
    expect((await read(new Source([packed]), open, MIB, semaphore)).toString()).toBe("Hello");
  });

  test("is never opened for a sender who has left, though all of it had come", async () => {
    const { open, opened } = watched("gzip");
    const semaphore = new FairSemaphore({ concurrency: 1, refusal });
    const release = await semaphore.acquire("another");
    const leaving = new Cancellation();
    const left = read(new Source([gzipSync("Hello")]), open, MIB, semaphore, { signal: leaving });
    const refused = expect(left).rejects.toThrow("has closed its connection");
    await new Promise(setImmediate);
    leaving.abort();
    await refused;
    release();
    expect(opened.decoders).toBe(0);
  });

  test("that grows beyond the limit is given up there", async () => {
    const source = new Source(cut(gzipSync(randomBytes(8 * MIB).toString("base64")), 16_384));
    const refused = decode(source, "gzip", 2 * MIB);
    await expect(refused).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      message: expect.stringContaining("2097152 bytes"),
    });
    expect(source.taken * 16_384).toBeLessThan(3 * MIB);
  });

  test("that begins with a long repetition and goes on otherwise is read", async () => {
    const text = Buffer.concat([
      Buffer.alloc(3 * MIB, " "),
      Buffer.from(randomBytes(MIB).toString("base64")),
    ]);
    expect((await decode(new Source(cut(gzipSync(text), 65_536)), "gzip")).equals(text)).toBe(true);
  });

  test("whose sender fails fails with what the sender says", async () => {
    const packed = gzipSync(randomBytes(5_000));
    async function* failing() {
      yield packed.subarray(0, 1_000);
      throw new Error("gone");
    }
    const open = decoderFor("gzip");
    await expect(open && read(failing(), open, MIB)).rejects.toThrow("gone");
  });
});

test("a body without a coding, or with identity, is taken as it is", () => {
  for (const none of [undefined, "", " ", "identity", "Identity", "identity, identity"])
    expect(decoderFor(none)).toBeNull();
});
