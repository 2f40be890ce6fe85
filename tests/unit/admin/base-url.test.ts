import { describe, expect, test } from "vitest";
import { checkBaseUrl, checkHeaders, checkProxy } from "@/lib/admin/nodes";

/** Source: docs/reliability.md#r-136. */
describe("a base URL", () => {
  test.each(["https://api.openai.com/v1", "https://8.8.8.8/v1", "https://[2606:4700::1111]/"])(
    "may be %s",
    (url) => expect(() => checkBaseUrl(url, false)).not.toThrow(),
  );

  test.each([
    "http://api.openai.com",
    "https://127.1/",
    "https://0.0.0.0/",
    "https://[::]/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://169.254.169.254/latest",
    "https://10.0.0.8/",
    "https://100.64.1.1/",
    "https://metadata.google.internal/",
    "https://localhost/",
    "https://localhost./",
    "https://db/",
    "https://printer.local/",
    "https://[::7f00:1]/",
    "https://[fec0::1]/",
    "https://[2001:0:7f00:1::]/",
    "https://api.openai.com:22/v1",
  ])("may not be %s", (url) => expect(() => checkBaseUrl(url, false)).toThrow());

  test("that is private is refused as that, whatever its protocol", () => {
    expect(() => checkBaseUrl("http://10.0.0.1/v1", false)).toThrow(/private address/);
    expect(() => checkBaseUrl("http://api.openai.com", false)).toThrow(/must use https/);
  });

  test("may point inside where that is allowed", () => {
    expect(() => checkBaseUrl("http://127.0.0.1:8000/v1", true)).not.toThrow();
  });
});

describe("a proxy", () => {
  test("may be outside, in clear too, and anywhere where that is allowed", () => {
    expect(() => checkProxy("http://proxy.example.com:3128", false)).not.toThrow();
    expect(() => checkProxy("http://127.0.0.1:3128", true)).not.toThrow();
    expect(() => checkProxy(null, false)).not.toThrow();
  });

  test.each([
    "http://127.0.0.1:3128",
    "http://169.254.169.254",
    "http://user:pass@[::1]:8080",
    "http://squid:3128",
  ])("may not be %s", (proxy) => expect(() => checkProxy(proxy, false)).toThrow(/private address/));
});

test.each([
  [{ "x-team": "a" }, true],
  [{ "api-key": "x" }, false],
  [{ "Proxy-Authorization": "Basic x" }, false],
  [{ Authorization: "Bearer x" }, false],
  [{ "X-Api-Key": "x" }, false],
  [{ host: "x" }, false],
  [{ "x-a": "b\r\nc: d" }, false],
])("extra headers %j are taken: %s", (headers: Record<string, string>, taken) => {
  const check = () => checkHeaders(headers);
  if (taken) expect(check).not.toThrow();
  else expect(check).toThrow();
});
