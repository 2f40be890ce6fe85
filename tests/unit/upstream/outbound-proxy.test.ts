import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readProxies } from "@/lib/config/outbound-proxies";
import { OutboundProxy } from "@/lib/upstream/outbound-proxy";

const A = "http://a.example:1";
const B = "http://b.example:2";
const C = "http://c.example:3";
const proxyOf = (given: Record<string, string>, origin: string) =>
  new OutboundProxy(readProxies(given)).for(origin);

/** Source: docs/contract.md#proxies. */
describe("the proxy of an address", () => {
  test.each([
    [{ HTTPS_PROXY: A }, A, null],
    [{ https_proxy: A, HTTPS_PROXY: B }, A, null],
    [{ http_proxy: A }, null, A],
    [{ HTTP_PROXY: A }, null, null],
    [{ HTTP_PROXY: A, ALL_PROXY: B }, B, B],
    [{ ALL_PROXY: A }, A, A],
    [{ all_proxy: A, ALL_PROXY: B }, A, A],
    [{ ALL_PROXY: A, HTTPS_PROXY: B, http_proxy: C }, B, C],
    [{ https_proxy: "a.example:1" }, A, null],
    [{ ALL_PROXY: A, NO_PROXY: "*" }, null, null],
    [{ ALL_PROXY: A, no_proxy: "other.example", NO_PROXY: "*" }, A, A],
  ])("is the one that curl takes of %j", (given, https, http) => {
    expect(readProxies(given).problems).toEqual([]);
    expect(proxyOf(given, "https://node.example")).toBe(https);
    expect(proxyOf(given, "http://node.example")).toBe(http);
  });

  test.each([
    ["node.example", "https://node.example", true],
    ["node.example", "https://a.node.example", true],
    ["node.example", "https://mynode.example", false],
    [".node.example", "https://node.example", true],
    [".node.example", "https://a.node.example:8443", true],
    ["*.node.example", "https://a.node.example", true],
    ["NODE.Example.", "https://node.example.", true],
    ["x.example, node.example", "https://node.example", true],
    ["x.example node.example", "https://node.example", true],
    ["node.example:8443", "https://node.example:8443", true],
    ["node.example:8443", "https://node.example", false],
    ["node.example:443", "https://node.example", true],
    ["node.example:80", "http://node.example", true],
    ["10.0.0.0/8", "https://10.1.2.3", true],
    ["10.0.0.0/8", "https://11.1.2.3", false],
    ["10.0.0.0/8", "https://10.example", false],
    ["10.1.2.3", "https://10.1.2.3:444", true],
    ["10.1.2.3:443", "https://10.1.2.3:444", false],
    ["fd00::/8", "https://[fd12::1]", true],
    ["[fd00::]/8", "https://[fd12::1]", true],
    ["fd00::/8", "https://[fe80::1]", false],
    ["::1", "https://[0:0::1]", true],
    ["[::1]", "https://[::1]:8443", true],
    ["[::1]:443", "https://[::1]:8443", false],
    ["0.0.0.0/0", "https://node.example", false],
    ["", "https://node.example", false],
    [",. ,:443,", "https://node.example", false],
  ])("with NO_PROXY=%s is left out for %s: %s", (NO_PROXY, origin, direct) => {
    expect(proxyOf({ ALL_PROXY: A, NO_PROXY }, origin)).toBe(direct ? null : A);
  });

  test("is never decided by an error, whatever NO_PROXY holds", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab.:*/[]0123,% ") });
    fc.assert(
      fc.property(text, fc.oneof(fc.ipV4(), fc.domain()), (NO_PROXY, host) => {
        expect([A, null]).toContain(proxyOf({ ALL_PROXY: A, NO_PROXY }, `https://${host}`));
        readProxies({ NO_PROXY });
      }),
    );
  });

  test("that is SOCKS or no address is named, without its password", () => {
    for (const name of ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
      for (const value of [
        "socks5://u:hunter2@p:1",
        "socks4a://p:1",
        "ftp://p",
        "http://u:hunter2@:x",
        "a b",
      ]) {
        const { problems } = readProxies({ [name]: value });
        expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} (names a SOCKS|must be)`))]);
        expect(problems.join()).not.toContain("hunter2");
      }
    const shadowed = readProxies({ ALL_PROXY: "socks5://p:1", https_proxy: A, http_proxy: A });
    expect(shadowed.problems).toEqual([]);
    expect(readProxies({ http_proxy: "ftp://u:hunter2@p" }).problems).toEqual([
      expect.stringMatching(/^http_proxy must be/),
    ]);
  });

  test.each([
    [{ ALL_PROXY: "socks5://u:hunter2@p:1", HTTPS_PROXY: A }, "ALL_PROXY"],
    [{ all_proxy: "socks5h://u:hunter2@p:1", https_proxy: A, HTTP_PROXY: B }, "all_proxy"],
    [{ http_proxy: "socks4://u:hunter2@p:1", https_proxy: A }, "http_proxy"],
    [{ http_proxy: "socks4://u:hunter2@p:1" }, "http_proxy"],
  ])("that is SOCKS and stands in for http:// only is told and not used: %j", (given, name) => {
    const { problems, warnings } = readProxies(given);
    expect(problems).toEqual([]);
    expect(warnings[0]).toMatch(new RegExp(`^${name} names a SOCKS proxy.*http_proxy`));
    expect(warnings.join()).not.toContain("hunter2");
    expect(proxyOf(given, "http://node.example")).toBe(null);
    expect(proxyOf(given, "https://node.example")).toBe(
      "HTTPS_PROXY" in given || "https_proxy" in given ? A : null,
    );
  });

  test("that has no effect is told, as is what NO_PROXY cannot match", () => {
    expect(readProxies({ HTTP_PROXY: A }).warnings).toEqual([
      expect.stringMatching(/^HTTP_PROXY has no effect/),
    ]);
    expect(readProxies({ HTTP_PROXY: A, http_proxy: B }).warnings).toEqual([]);
    const wrong = ["http://x.example", "10.0.0.0/33", "x.example/8", "a*.example", "u@x.example"];
    expect(readProxies({ NO_PROXY: wrong.join() }).warnings).toHaveLength(wrong.length);
    expect(readProxies({ NO_PROXY: "*,a.example,*.b.example,10.0.0.0/8,[::1]:4,fd00::/8" }).warnings).toEqual(
      [],
    );
  });
});
