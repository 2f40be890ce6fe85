import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateKey, hashKey, isWellFormedKey, randomBase62 } from "@/lib/accounts/key-text";

describe("an API key", () => {
  test("has the published shape, passes its own checksum and hides all but its beginning", () => {
    const { key, keyHash, keyPrefix } = generateKey();
    expect(key).toMatch(/^tgw-[0-9A-Za-z]{46}$/);
    expect(isWellFormedKey(key)).toBe(true);
    expect(keyHash).toEqual(hashKey(key));
    expect(keyHash).toHaveLength(32);
    expect(key.startsWith(keyPrefix)).toBe(true);
    expect(keyPrefix).toHaveLength(12);
  });

  test("with one character changed is refused without asking the database", () => {
    const { key } = generateKey();
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 49 }), fc.constantFrom(..."09azAZ"), (index, character) => {
        const changed = key.slice(0, index) + character + key.slice(index + 1);
        expect(isWellFormedKey(changed)).toBe(changed === key);
      }),
    );
  });

  test.each([
    "",
    "tgw-",
    "sk-abc",
    `tgw-${"0".repeat(46)}`,
    `${generateKey().key}\n`,
    ` ${generateKey().key}`,
  ])("%j is not well formed", (text) => expect(isWellFormedKey(text)).toBe(false));

  test("never repeats, and uses every character about equally", () => {
    const text = randomBase62(62_000);
    const counts = new Map<string, number>();
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(220);
    expect(new Set(Array.from({ length: 1000 }, () => generateKey().key)).size).toBe(1000);
  });
});
