import { describe, expect, test } from "vitest";
import { checkBaseUrl, checkHeaders, checkProvider, checkProxy } from "@/lib/admin/nodes";
import { parseConfig } from "@/lib/config/file";
import type { Protocol } from "@/lib/protocols/protocol";

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

/** Source: docs/contract.md#base-urls. */
describe("a base URL that ends in the path of an operation", () => {
  const refused = (protocol: Protocol, baseUrl: string) => () =>
    checkProvider({ provider: null, protocol, baseUrl });

  test.each([
    ["chat", "https://api.openai.com/v1/chat/completions", "/chat/completions", "https://api.openai.com/v1"],
    [
      "chat",
      "https://x.example.com/api/V1/Chat/Completions/",
      "/chat/completions",
      "https://x.example.com/api/V1",
    ],
    ["chat", "https://x.example.com/v1/embeddings", "/embeddings", "https://x.example.com/v1"],
    ["chat", "https://x.example.com/v1/completions", "/completions", "https://x.example.com/v1"],
    ["messages", "https://api.anthropic.com/v1/messages", "/messages", "https://api.anthropic.com"],
    [
      "messages",
      "https://x.example.com/anthropic/v1/messages/count_tokens",
      "/messages/count_tokens",
      "https://x.example.com/anthropic",
    ],
    ["responses", "https://api.openai.com/v1/responses", "/responses", "https://api.openai.com/v1"],
    [
      "responses",
      "https://api.openai.com/v1/chat/completions",
      "/chat/completions",
      "https://api.openai.com/v1",
    ],
    [
      "chat",
      "https://r.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2024-10-21",
      "/chat/completions",
      "https://r.openai.azure.com/openai/deployments/gpt?api-version=2024-10-21",
    ],
  ] as const)("of a %s node, %s, is refused with the right one", (protocol, url, path, right) => {
    expect(refused(protocol, url)).toThrow(
      `\`baseUrl\` must end before ${path}, which the gateway adds: ${right}.`,
    );
    expect(refused(protocol, right)).not.toThrow();
  });

  test.each(["https://x.example.com/responses-proxy", "https://x.example.com/v1/my-embeddings"])(
    "is another thing than %s",
    (url) => expect(refused("chat", url)).not.toThrow(),
  );

  test("is refused in a configuration file at its place", () => {
    const file = (name: string, url: string) =>
      `nodes:\n  - {name: a, protocol: chat, baseUrl: "https://x.example.com/v1"}\n  - {name: ${name}, protocol: chat, baseUrl: "${url}"}\n`;
    const parse = (text: string) => () => parseConfig("tollgate.yaml", text, {});
    expect(parse(file("b", "https://x.example.com/v1/chat/completions"))).toThrow(
      /nodes\.1\.baseUrl: must end before \/chat\/completions/,
    );
    expect(parse(file("A", "https://x.example.com/v1"))).toThrow(/"A" is declared twice/);
    expect(parse(file("b", "https://x.example.com/v1"))).not.toThrow();
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
