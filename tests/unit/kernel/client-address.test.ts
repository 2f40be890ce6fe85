import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressIn, clientIp, throttledAddress } from "@/lib/kernel/client-address";

const v4 = fc.ipV4();
const v6 = fc.ipV6();
const port = fc.integer({ min: 0, max: 65_535 });
const same = (a: string, b: string) => expect(addressIn(a)).toBe(addressIn(b));

/** Source: docs/contract.md#client-address. */
describe("an address of a proxy's header", () => {
  test("is the same with a port, in brackets, in quotes, with blanks and with a zone", () => {
    fc.assert(
      fc.property(v4, port, (address, of) => {
        expect(addressIn(address)).toBe(address);
        for (const form of [`${address}:${of}`, `"${address}:${of}"`, ` ${address} `, `"${address}"`])
          same(form, address);
      }),
    );
    fc.assert(
      fc.property(v6, port, (address, of) => {
        expect(addressIn(address)).not.toBeNull();
        for (const form of [
          `[${address}]`,
          `[${address}]:${of}`,
          `"[${address}]:${of}"`,
          `${address}%eth0`,
          `[${address}%25en1]:${of}`,
          address.toUpperCase(),
        ])
          same(form, address);
      }),
    );
  });

  test("is IPv4 when it is mapped into IPv6", () => {
    fc.assert(
      fc.property(v4, (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
        const hex = `::ffff:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        for (const form of [`::ffff:${address}`, `::FFFF:${address}`, `[::ffff:${address}]:1`, hex])
          expect(addressIn(form)).toBe(address);
      }),
    );
  });

  test("is an address in its canonical form, or none, whatever the text is", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'[]":.%0123456789abcdef') }),
      v6.map((address) => `[${address}`),
    );
    fc.assert(
      fc.property(text, (given) => {
        const found = addressIn(given);
        if (found === null) return;
        expect(isIP(found)).not.toBe(0);
        expect(addressIn(found)).toBe(found);
      }),
    );
    const garbage = ["", "unknown", "_hidden", "1.2.3", "1.2.3.4.5", "1.2.3.4:", "1.2.3.4:x", "256.1.1.1"];
    for (const text of [...garbage, "[1.2.3.4]", "[::1", "::1]", "::1]:80", "fe80::1 %eth0", "[]:80"])
      expect([text, addressIn(text)]).toEqual([text, null]);
  });
});

/** Source: docs/contract.md#s2 (`TRUST_PROXY`), docs/reliability.md#s3-4. */
describe("the caller", () => {
  test("has the address of the entry that the outermost trusted proxy wrote, with whatever port", () => {
    const forged = fc.array(fc.oneof(fc.string({ unit: fc.constantFrom(..."abc.:[]1") }), v4), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(
        forged,
        fc.oneof(
          v4,
          v6.map((six) => `[${six}]`),
        ),
        port,
        (before, address, of) => {
          const header = [...before, `${address}:${of}`].join(", ");
          expect(clientIp(header, "10.0.0.1", 1)).toBe(addressIn(address));
          expect(clientIp([header], "10.0.0.1", 1)).toBe(addressIn(address));
          expect(clientIp(`${header}, 10.0.0.2:80`, "10.0.0.1", 2)).toBe(addressIn(address));
          expect(clientIp(header, "::ffff:10.0.0.1", 0)).toBe("10.0.0.1");
        },
      ),
    );
  });

  test("has the next address to the right where a trusted proxy wrote none, never one to its left", () => {
    expect(clientIp("192.0.2.1, unknown", "10.0.0.1", 1)).toBe("10.0.0.1");
    expect(clientIp("192.0.2.1, unknown, 10.0.0.2:5", "10.0.0.1", 2)).toBe("10.0.0.2");
    expect(clientIp("192.0.2.1", "10.0.0.1", 2)).toBe("192.0.2.1");
    expect(clientIp("", "fe80::1%eth0", 1)).toBe("fe80::1");
    expect(clientIp("", undefined, 1)).toBe("");
  });
});

/** Source: docs/reliability.md#s3-4. */
describe("a throttle per address", () => {
  test("counts all addresses of an IPv6 /64 as one, and no two networks or IPv4 addresses", () => {
    const half = fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 4, maxLength: 4 });
    const address = (groups: number[]) =>
      addressIn(groups.map((group) => group.toString(16)).join(":")) ?? "";
    fc.assert(
      fc.property(half, half, half, half, (network, other, a, b) => {
        const first = throttledAddress(address([...network, ...a]));
        expect(throttledAddress(address([...network, ...b]))).toBe(first);
        const isSame = network.join() === other.join();
        expect(throttledAddress(address([...other, ...a])) === first).toBe(isSame);
      }),
    );
    fc.assert(
      fc.property(v4, (four) => {
        expect(throttledAddress(four)).toBe(four);
      }),
    );
    expect(throttledAddress("2001:db8::1")).toBe("2001:db8:0:0::/64");
    expect(throttledAddress("::1")).toBe("0:0:0:0::/64");
    expect(throttledAddress("64:ff9b::c000:201")).not.toBe(throttledAddress("64:ff9b::c000:202"));
  });
});
