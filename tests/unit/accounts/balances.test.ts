import { describe, expect, it } from "vitest";
import { type Balance, Balances } from "@/lib/accounts/key-balance";
import { PLAIN_TERMS } from "@/lib/gateway/price-terms";
import { MAX_TOKENS } from "@/lib/shared/prices/cost";
import { affordableOutput } from "@/lib/shared/prices/hold";
import { priceOf } from "@/tests/support/prices";

const owner = { keyId: "k", userId: "u" };
const money = (quota: bigint, used = 0n, held = 0n): Balance => ({
  quotaMicroCents: quota,
  usedMicroCents: used,
  heldMicroCents: held,
});

describe("how much of its quota a caller has used", () => {
  it("is the larger part of key and account, holds included, from 0 to 100", () => {
    const balances = new Balances();
    expect(balances.usedPercent(owner)).toBe(0);
    balances.update(owner, money(1_000n, 100n, 25n), money(10_000n, 600n));
    expect(balances.usedPercent(owner)).toBe(12.5);
    balances.update(owner, money(1_000n, 100n), money(10_000n, 9_999n));
    expect(balances.usedPercent(owner)).toBe(99.9);
    balances.update(owner, money(0n), money(10_000n));
    expect(balances.usedPercent(owner)).toBe(100);
  });
});

describe("what a caller has left", () => {
  it("is what the tighter of key and account has neither used nor held", () => {
    const balances = new Balances();
    balances.update(owner, money(100n, 10n, 20n), money(1_000n));
    expect(balances.remaining(owner)).toBe(70n);
    balances.update(owner, money(100n, 10n, 20n), money(1_000n, 940n, 20n));
    expect(balances.remaining(owner)).toBe(40n);
  });

  it("follows this process's own holds and settlements, those of other keys of the account too", () => {
    const balances = new Balances();
    const other = { keyId: "k2", userId: "u" };
    balances.update(owner, money(100n), money(150n));
    balances.update(other, money(100n), money(150n));
    balances.addHold(owner, 60n);
    expect([balances.remaining(owner), balances.remaining(other)]).toEqual([40n, 90n]);
    balances.settle(owner, 60n, 5n);
    expect([balances.remaining(owner), balances.remaining(other)]).toEqual([95n, 100n]);
    balances.settle(other, 0n, 90n);
    expect([balances.remaining(owner), balances.remaining(other)]).toEqual([55n, 10n]);
  });

  it("is corrected by the next look-up, and leaves the looked-up figures as they are", () => {
    const balances = new Balances();
    const key = money(100n);
    balances.update(owner, key, money(100n));
    balances.addHold(owner, 30n);
    expect(key.heldMicroCents).toBe(0n);
    balances.update(owner, money(100n, 1n), money(100n, 1n));
    expect(balances.remaining(owner)).toBe(99n);
  });

  it("is nothing for who is not known and for who has overdrawn", () => {
    const balances = new Balances();
    balances.addHold(owner, 5n);
    expect(balances.remaining(owner)).toBe(0n);
    balances.update(owner, money(10n, 12n), money(100n));
    expect(balances.remaining(owner)).toBe(0n);
  });

  it("is kept for 200,000 keys and accounts at most", () => {
    const balances = new Balances();
    for (let index = 0; index <= 200_000; index += 1)
      balances.update({ keyId: `k${index}`, userId: `u${index}` }, money(9n), money(9n));
    expect(balances.remaining({ keyId: "k0", userId: "u0" })).toBe(0n);
    expect(balances.remaining({ keyId: "k200000", userId: "u200000" })).toBe(9n);
  });
});

describe("the output that some money pays for", () => {
  const price = priceOf({ input: 0.001, output: 0 });

  it.each([
    [2_500_000n, 300_000n, 8_333],
    [0n, 300_000n, 0],
    [1n, 1_000_000_000_000n, 0],
    [10n ** 18n, 1n, MAX_TOKENS],
    [0n, 0n, MAX_TOKENS],
  ])(
    "is whole tokens, rounded down: %d micro-cents at %d nano-cents",
    (microCents, outputNanoCents, tokens) => {
      const priced = { ...price, rates: { ...price.rates, output: outputNanoCents } };
      expect(affordableOutput(microCents, 1, priced, PLAIN_TERMS)).toBe(tokens);
    },
  );
});
