import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { gatewayFor } from "../support/gateway-fixtures";

const gateway = gatewayFor({ models: [{ alias: "quick", routes: [["chat", "sim-echo"]] }] });

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** The bytes as they travel: no client library decodes them. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET", body = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(gateway.server.url + path, { method, headers, agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.once("error", reject);
      answer.once("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) }),
      );
    });
    asked.once("error", reject);
    asked.end(body);
  });
}

/** A hashed script of the login page, as large as they come. */
let script = "";
let plain: Answer;
beforeAll(async () => {
  const { body } = await ask("/login");
  const paths = [...body.toString().matchAll(/src="(\/_next\/static\/[^"]+\.js)"/g)].map(
    ([, path]) => path ?? "",
  );
  const answers = await Promise.all(paths.map(async (path) => ({ path, answer: await ask(path) })));
  const largest = answers.sort((a, b) => b.answer.body.length - a.answer.body.length)[0];
  if (largest === undefined) throw new Error("the login page has no scripts");
  ({ path: script, answer: plain } = largest);
});

/** Source: docs/dashboard.md#s2-15. */
describe("a hashed file of the pages", () => {
  test("travels as Brotli or gzip where the client takes it, smallest first, and is the same file", async () => {
    const brotli = await ask(script, { "accept-encoding": "gzip, deflate, br" });
    const gzip = await ask(script, { "accept-encoding": "gzip" });
    expect([brotli.headers["content-encoding"], gzip.headers["content-encoding"]]).toEqual(["br", "gzip"]);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotli.body.length).toBeLessThan(gzip.body.length);
    expect(gzip.body.length).toBeLessThan(plain.body.length / 2);
    for (const { headers, body } of [brotli, gzip, plain]) {
      expect(headers["content-length"]).toBe(String(body.length));
      expect(headers["content-type"]).toMatch(/javascript/);
      expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(headers.vary).toMatch(/accept-encoding/i);
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  test.each([
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["gzip;q=1.0, br;q=0.2", "gzip"],
    ["*", "br"],
    ["*;q=0.3, br;q=0", "gzip"],
    ["identity;q=1, br;q=0.5", undefined],
    ["br;q=0, gzip;q=0", undefined],
    ["zstd", undefined],
  ])("honours the weights of %s", async (accepted, coding) => {
    const { headers } = await ask(script, { "accept-encoding": accepted });
    expect(headers["content-encoding"]).toBe(coding);
  });

  test("has a tag of its own for each coding, which answers 304 without a body", async () => {
    const accepted = ["br", "gzip", "identity"];
    const tags = await Promise.all(
      accepted.map(async (coding) => (await ask(script, { "accept-encoding": coding })).headers.etag),
    );
    expect(new Set(tags).size).toBe(3);
    const known = { "accept-encoding": "br", "if-none-match": `"other", W/${tags[0]}` };
    const { status, headers, body } = await ask(script, known);
    expect([status, headers.etag, body.length]).toEqual([304, tags[0], 0]);
    expect(headers.vary).toMatch(/accept-encoding/i);
    const other = await ask(script, { "accept-encoding": "gzip", "if-none-match": String(tags[0]) });
    expect([other.status, other.headers["content-encoding"]]).toEqual([200, "gzip"]);
  });

  test("is described by HEAD as by GET", async () => {
    const asked = { "accept-encoding": "br" };
    const [head, get] = await Promise.all([ask(script, asked, "HEAD"), ask(script, asked)]);
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of [
      "content-encoding",
      "content-length",
      "content-type",
      "etag",
      "vary",
      "cache-control",
    ])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  });

  test("is found below its directory only", async () => {
    for (const path of ["/_next/static/..%2f..%2fpackage.json", "/_next/static/files.json", `${script}.br`])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
  });
});

/** Source: docs/dashboard.md#s2-15. */
describe("what is made at run time", () => {
  test.each(["/", "/login", "/docs/api"])(
    "the page %s travels as gzip where the client takes it",
    async (path) => {
      const packed = await ask(path, { "accept-encoding": "gzip, br" });
      expect(packed.headers["content-encoding"]).toBe("gzip");
      expect(packed.headers.vary).toMatch(/accept-encoding/i);
      expect(gunzipSync(packed.body).toString()).toMatch(/^<!DOCTYPE html>[\s\S]*<\/html>$/);
      const refused = await ask(path, { "accept-encoding": "gzip;q=0" });
      expect(refused.headers["content-encoding"]).toBeUndefined();
      expect(refused.body.toString()).toMatch(/^<!DOCTYPE html>/);
    },
  );

  test.each(["/docs/search", "/llms-full.txt"])("the text %s travels as gzip too", async (path) => {
    const packed = await ask(path, { "accept-encoding": "gzip, br" });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.headers.vary).toMatch(/accept-encoding/i);
    const whole = await ask(path);
    expect(whole.headers["content-encoding"]).toBeUndefined();
    expect(gunzipSync(packed.body).equals(whole.body)).toBe(true);
    expect(packed.body.length).toBeLessThan(whole.body.length / 2);
  });

  test("JSON of the API travels as gzip, and a short one as it is", async () => {
    const packed = await ask("/openapi.json", { "accept-encoding": "gzip, br" });
    expect([packed.headers["content-encoding"], packed.headers.vary]).toEqual(["gzip", "Accept-Encoding"]);
    expect(packed.headers["content-length"]).toBe(String(packed.body.length));
    expect(JSON.parse(gunzipSync(packed.body).toString())).toHaveProperty("openapi");
    const whole = await ask("/openapi.json");
    expect([whole.headers["content-encoding"], whole.headers.vary]).toEqual([undefined, "Accept-Encoding"]);
    expect(packed.body.length).toBeLessThan(whole.body.length / 3);
    const short = await ask("/api/health/live", { "accept-encoding": "gzip" });
    expect(short.headers["content-encoding"]).toBeUndefined();
    expect(JSON.parse(short.body.toString())).toHaveProperty("status");
  });

  test("answers of models stay as they are, streams and whole ones", async () => {
    const user = await gateway.key();
    const headers = {
      authorization: `Bearer ${user.key}`,
      "accept-encoding": "gzip, br",
      "content-type": "application/json",
    };
    const messages = [{ role: "user", content: "a long text ".repeat(300) }];
    for (const stream of [true, false]) {
      const body = JSON.stringify({ model: "quick", messages, stream });
      const answer = await ask("/v1/chat/completions", headers, "POST", body);
      expect([answer.status, answer.headers["content-encoding"]]).toEqual([200, undefined]);
      expect(answer.body.length).toBeGreaterThan(1024);
    }
  });
});
