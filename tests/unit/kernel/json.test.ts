import { describe, expect, test } from "vitest";
import { readJson, readLargeJson } from "@/lib/kernel/read-json";

const bodies = {
  "an object": Buffer.from('{"model":"a","model":"b","text":"狐狸 fox"}'),
  "a byte order mark": Buffer.from('\uFEFF{"model":"a"}'),
  "two byte order marks": Buffer.from('\uFEFF\uFEFF{"model":"a"}'),
  "an empty body": Buffer.alloc(0),
  "a text that ends too early": Buffer.from('{"model":"a"'),
  "bytes that are no UTF-8": Buffer.from([0x22, 0xff, 0x22]),
  "too many levels": Buffer.from("[".repeat(65) + "]".repeat(65)),
};

describe("a body that is read in several turns of the event loop", () => {
  for (const [name, raw] of Object.entries(bodies)) {
    test(`has the same outcome as one that is read at once: ${name}`, async () => {
      const atOnce = await Promise.resolve()
        .then(() => readJson(raw))
        .catch((error: unknown) => error);
      expect(await readLargeJson(raw).catch((error: unknown) => error)).toEqual(atOnce);
    });
  }

  test("lets other work have its turn between its steps", async () => {
    let turns = 0;
    let over = false;
    const count = () => {
      turns += 1;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    await readLargeJson(bodies["an object"]);
    over = true;
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});
