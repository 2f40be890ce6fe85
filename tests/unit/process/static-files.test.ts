import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRangeCheck } from "@/lib/process/static-files";

const SIZE = 100;
const root = mkdtempSync(path.join(tmpdir(), "ranges-"));
mkdirSync(path.join(root, "public", "pictures"), { recursive: true });
writeFileSync(path.join(root, "public", "pictures", "a b.webp"), Buffer.alloc(SIZE));
writeFileSync(path.join(root, "secret"), Buffer.alloc(SIZE));

let server: Server;
let url = "";
beforeAll(async () => {
  const refuseRange = openRangeCheck(root);
  server = createServer((request, response) => {
    // What goes on tells the range that the next handler gets.
    if (!refuseRange(request, response)) response.end(request.headers.range ?? "none");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(root, { recursive: true });
});

const ask = (range: string, name = "/pictures/a%20b.webp", more = {}) =>
  fetch(`${url}${name}`, { headers: { range, ...more } });

test.each(["bytes=100-", "bytes=999999999-", "bytes=-0", "bytes=200-300, 400-"])(
  "a range beyond the end of a file of the pages is a 416 that tells the size: %s",
  async (range) => {
    const answer = await ask(range);
    expect(answer.status).toBe(416);
    expect(answer.headers.get("content-range")).toBe(`bytes */${SIZE}`);
    expect(answer.headers.get("content-type")).toBeNull();
    expect(await answer.text()).toBe("");
  },
);

test.each(["bytes=0-", "bytes=99-", "bytes=-5", "bytes=0-9, 200-"])(
  "a range that is there goes on: %s",
  async (range) => {
    expect(await (await ask(range)).text()).toBe(range);
  },
);

test.each(["bytes=", "bytes=5-2", "bytes=a-", "lines=1-"])(
  "what is no range of bytes is ignored: %s",
  async (range) => {
    expect(await (await ask(range)).text()).toBe("none");
  },
);

test("a range with a condition is never refused, and other paths are left alone", async () => {
  const conditional = await ask("bytes=999-", undefined, { "if-range": '"x"' });
  expect(await conditional.text()).toBe("none");
  for (const name of ["/secret", "/..%2fsecret", "/pictures", "/nothing", "/%ff"])
    expect(await (await ask("bytes=999-", name)).text()).toBe("bytes=999-");
});
