import { describe, expect, test } from "vitest";
import { readJson } from "@/lib/api/read-json";

const request = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  new Request("http://gate.example/", {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });

describe("reading a body", () => {
  test("gives the JSON value", async () => {
    expect(await readJson(request('{"name":"å🔑"}'))).toEqual({ name: "å🔑" });
    const charset = { "content-type": "application/json; charset=utf-8" };
    expect(await readJson(request("[1]", charset))).toEqual([1]);
  });

  test.each(["", "{", "nope", '{"a":1,}', "'x'"])("refuses %j as no JSON", async (body) => {
    await expect(readJson(request(body))).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  test("refuses bytes that are not UTF-8", async () => {
    const bytes = new Uint8Array([0x22, 0xff, 0x22]);
    await expect(readJson(request(bytes))).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  test("refuses other media types and encodings", async () => {
    const others: Record<string, string>[] = [
      { "content-type": "text/plain" },
      { "content-type": "application/x-www-form-urlencoded" },
      { "content-encoding": "gzip" },
    ];
    for (const headers of others) {
      await expect(readJson(request("{}", headers))).rejects.toMatchObject({
        code: "UNSUPPORTED_MEDIA_TYPE",
      });
    }
  });

  test("refuses more than a mebibyte, whatever the length header says", async () => {
    const big = `"${"x".repeat(1024 * 1024)}"`;
    await expect(readJson(request(big))).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    const stream = new Response(big).body;
    const chunked = new Request("http://gate.example/", {
      method: "POST",
      body: stream,
      headers: { "content-type": "application/json" },
      duplex: "half",
    } as RequestInit); // `duplex` is missing in the DOM's types
    await expect(readJson(chunked)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });

  test("refuses deep nesting before it is parsed", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    await expect(readJson(request(deep))).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  test.each(['{"a":{"b":["x\\u0000"]}}', '{"a":{"b":["\\ud800"]}}', '{"a\\u0000":1}'])(
    "refuses text the database cannot store: %s",
    async (body) => {
      await expect(readJson(request(body))).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    },
  );

  test("names where such text is", async () => {
    await expect(readJson(request('{"a":{"b":["ok","x\\u0000"]}}'))).rejects.toMatchObject({
      details: { param: "a.b.1" },
    });
  });
});
