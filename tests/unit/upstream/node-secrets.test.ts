import { describe, expect, test } from "vitest";
import { nodeSecrets, type SecretNode } from "@/lib/upstream/node-secrets";

const makeNode = (changes: Partial<SecretNode> = {}): SecretNode => ({
  access: null,
  apiKey: "marmalade-foghorn",
  headers: {},
  baseUrl: "https://api.quay.example:8443/v1",
  proxy: null,
  ...changes,
});
const strike = (text: string, changes: Partial<SecretNode> = {}, proxy: string | null = null) =>
  nodeSecrets(makeNode(changes), proxy === null ? [] : [proxy]).strike(text);

const shapes: Readonly<Record<string, string>> = {
  vendor: "sk-proj-Q7vN2xLkT9sWcan41Bz6Yd",
  word: "marmaladefoghorn",
  uuid: "9b2f6c1e-7d34-4f0a-8e55-c0ffee123abc",
  base64: "q9+/Zk3xVn8Pw2/Ls7+Tb5Yd1A==",
  hex: "4f9c2ab87de0135f6a7b8c9d0e1f2a3b",
  dots: "ab.cd9.ef-gh",
  domain: "CORP\\nick:hunter2",
  odd: "a b\"c\\d&e<f>'g%h+i/j",
  long: "Ab3-".repeat(400),
};

const htmlOf = (text: string) => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
const ways: Readonly<Record<string, (text: string) => string>> = {
  whole: (text) => text,
  "in capitals": (text) => text.toUpperCase(),
  "URL-encoded": encodeURIComponent,
  "URL-encoded twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "as a form": (text) => new URLSearchParams({ text }).toString().slice(5),
  "every byte URL-encoded": (text) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(""),
  "in JSON": (text) => JSON.stringify(text),
  "in JSON in JSON": (text) => JSON.stringify(JSON.stringify({ text })),
  "in JSON with slashes escaped": (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  "in JSON with code points": (text) =>
    [...text]
      .map((one) => (/\w/.test(one) ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`))
      .join(""),
  "in HTML": htmlOf,
  "with NUL between": (text) => [...text].join("\u0000"),
  "with encoded NUL between": (text) => [...text].map(encodeURIComponent).join("%00"),
  "with characters of no width between": (text) => [...text].join("\u200b"),
  "with escapes of no width between": (text) =>
    [...text].map((one) => JSON.stringify(one).slice(1, -1)).join("\\u200d"),
  "with soft hyphens": (text) => text.replace(/(.{4})/gs, "$1\u00ad"),
  "in base64": (text) => Buffer.from(text).toString("base64"),
  "in base64 for URLs": (text) => Buffer.from(text).toString("base64url"),
  "in base64, URL-encoded": (text) => encodeURIComponent(Buffer.from(text).toString("base64")),
  "after one character in base64": (text) => Buffer.from(`:${text}`).toString("base64"),
  "as a password in base64": (text) => Buffer.from(`me:${text}`).toString("base64"),
  "inside a header in base64": (text) =>
    Buffer.from(`Authorization: Bearer ${text}\r\n`).toString("base64url"),
};

/** Source: docs/contract.md#b2. */
describe.each(Object.keys(shapes))("a credential (%s)", (shape) => {
  const secret = shapes[shape] ?? "";

  test.each(Object.keys(ways))("%s is struck out", (way) => {
    const shown = ways[way]?.(secret) ?? "";
    for (const text of [shown, `Key ${shown}.`, `x=${shown}&y=1`, `"${shown}"`]) {
      const clean = strike(text, { apiKey: secret });
      expect(clean).toContain("[key]");
      expect(clean.length).toBeLessThan(text.length - shown.length + 45);
      expect(clean).not.toContain(shown.slice(-16, -6));
    }
  });

  test("is struck out of headers and of the proxy's address, too", () => {
    const tag = strike(`tag ${secret}`, { apiKey: null, headers: { "x-tag": secret } });
    expect(tag).toBe("tag [key]");
    const proxy = `http://me:${encodeURIComponent(secret)}@proxy.example:3128`;
    expect(strike(`pass ${secret} at proxy.example:3128`, { apiKey: null, proxy })).toBe(
      "pass [key] at [host]",
    );
    expect(strike(`pass ${secret}`, { apiKey: null }, proxy)).toBe("pass [key]");
  });
});

describe("what is secret inside a value", () => {
  test("is the token after its scheme, the value of a field, and the password of a pair", () => {
    const headers = {
      "x-auth": "Bearer token-of-mine",
      "x-fields": "kid=abcdefgh;v=1",
      "x-pair": `Basic ${Buffer.from("me:hunter22").toString("base64")}`,
    };
    expect(strike("token-of-mine, abcdefgh, hunter22, kid, v=1", { headers })).toBe(
      "[key], [key], [key], kid, v=1",
    );
    expect(strike("only abc-def-ghi", { apiKey: "Bearer abc-def-ghi" })).toBe("only [key]");
  });

  test("is what an address holds besides its host", () => {
    const baseUrl = "https://user:s3cr3t-word@gw.example/v1/1a2b3c4d5e6f7a8b9c0d/openai?token=querysecret";
    expect(strike("s3cr3t-word querysecret 1a2b3c4d5e6f7a8b9c0d openai", { baseUrl })).toBe(
      "[key] [key] [key] openai",
    );
    const azure = "https://mine.openai.azure.com/openai/deployments/gpt?api-version=2024-10-21";
    expect(strike("no version 2024-10-21 here", { baseUrl: azure })).toBe("no version 2024-10-21 here");
  });

  test("longest first: a secret that holds another leaves nothing behind", () => {
    expect(strike("abcdef-ghijkl-mno", { apiKey: "abcdef", headers: { "x-a": "abcdef-ghijkl-mno" } })).toBe(
      "[key]",
    );
  });

  test("also the first half of a long credential, masked or cut by the node", () => {
    const apiKey = "plainwordcredentialwithouthyphens";
    expect(strike("key plainwordcredential****yphens and plainwordcredentialw", { apiKey })).toBe(
      "key [key] and [key]",
    );
  });

  test("nothing that is too short to be one once its escapes are taken out", () => {
    const headers = { "x-a": "%41%42", "x-b": "\\\\\\\\\\\\\\" };
    expect(strike("about ab and %41%42", { headers })).toBe("about ab and [key]");
  });

  test("short header values are words; a short credential is replaced where it stands alone", () => {
    expect(strike("beta EMPTY, EMPTYING", { apiKey: "EMPTY", headers: { "x-a": "beta" } })).toBe(
      "beta [key], EMPTYING",
    );
    expect(strike("a b x", { apiKey: "x" })).toBe("a b x");
  });
});

describe("the host of a node", () => {
  test.each([
    ["at api.quay.example.", "at [host]."],
    ["at API.Quay.Example:8443 now", "at [host] now"],
    ["GET https://api.quay.example:8443/v1/chat?x=1 failed", "GET [host] failed"],
    ["eu.api.quay.example", "eu.[host]"],
    ["https%3A%2F%2Fapi.quay.example%3A8443%2Fv1", "[host]"],
    ["https%253A%252F%252Fapi.quay.example", "[host]"],
    ['{"url":"https:\\/\\/api.quay.example\\/v1"}', '{"url":"[host]"}'],
    ["line\\napi.quay.example", "line\\n[host]"],
    [Buffer.from("api.quay.example:8443").toString("base64"), expect.stringMatching(/^\[host\]\w{0,6}=*$/)],
  ])("is struck out of %s", (text, clean) => {
    expect(strike(text)).toEqual(clean);
  });

  test.each([
    "https://myapi.quay.example/cat.png",
    "https://quay.example/cat.png",
    "https://cdn.example.com/550e8400-e29b-41d4-a716-446655440000.png?sig=abc",
    "localhost:3000",
  ])("leaves %s alone", (text) => {
    expect(strike(text)).toBe(text);
  });

  test.each([
    [
      "http://10.1.2.3:8000",
      "dial 10.1.2.3:8000, not 110.1.2.3 or 10.1.2.30",
      "dial [host], not 110.1.2.3 or 10.1.2.30",
    ],
    ["http://[2001:db8::7]:8000", "dial [2001:db8::7]:8000 or 2001:db8::7", "dial [host] or [host]"],
    ["http://vllm:8000", "vllm failed; see vllm.readthedocs.io", "[host] failed; see vllm.readthedocs.io"],
    ["https://küche.example", "xn--kche-0ra.example or küche.example", "[host] or [host]"],
  ])("of %s is found in every form", (baseUrl, text, clean) => {
    expect(strike(text, { baseUrl })).toBe(clean);
  });
});

test("texts of any form are cleaned in time in proportion to their length", () => {
  const secrets = nodeSecrets(
    makeNode({ headers: { a: "\\\\\\\\\\\\\\\\%%%%%%", b: "a".repeat(4_000) } }),
    [],
  );
  const begin = performance.now();
  for (const piece of ["a", "\\", "%25", "&amp;", "api.", "marmalade-foghor", "YW", "http://", "/"])
    secrets.strike(piece.repeat(16_384 / piece.length));
  expect(performance.now() - begin).toBeLessThan(1_500);
});

test("the secrets of a node are made once", () => {
  const node = makeNode();
  expect(nodeSecrets(node, [])).toBe(nodeSecrets(node, []));
});
