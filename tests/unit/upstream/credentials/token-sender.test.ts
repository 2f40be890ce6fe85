import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TokenRequest } from "@/lib/upstream/credentials/send";
import { tokenSender } from "@/lib/upstream/credentials/token-sender";
import { Pools } from "@/lib/upstream/pools";
import { ManualClock } from "./manual-clock";

let server: Server;
let pools: Pools;
let clock: ManualClock;
let abort: AbortController;

beforeEach(async () => {
  pools = new Pools({ https: null, http: null, noProxy: "" });
  clock = new ManualClock();
  abort = new AbortController();
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  await pools.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function serve(listener: RequestListener): void {
  server.on("request", listener);
}

function send(changes: Partial<TokenRequest> = {}) {
  const { port } = server.address() as AddressInfo;
  return tokenSender(
    pools,
    clock.startTimer,
  )({
    method: "GET",
    url: new URL(`http://127.0.0.1:${port}/latest?a=b%20c`),
    headers: { "x-a": "b" },
    body: null,
    reach: "machine",
    timeoutMs: 5_000,
    maxBytes: 1_024,
    signal: abort.signal,
    ...changes,
  });
}

/** Source: docs/clouds.md#failures. */
describe("a request to a token endpoint", () => {
  test.each([
    ["GET", null],
    ["PUT", null],
    ["POST", "a=b"],
  ] as const)("is sent as it is, by %s", async (method, body) => {
    serve(async (request, response) => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk;
      response.writeHead(401, { date: "d", "set-cookie": ["a", "b"] });
      response.end(`${request.method} ${request.url} ${request.headers["x-a"]} ${text}`);
    });
    const answer = await send({ method, body });
    expect(answer).toMatchObject({ status: 401, headers: { date: "d" } });
    expect(answer.body).toBe(`${method} /latest?a=b%20c b ${body ?? ""}`);
    expect(answer.headers).not.toHaveProperty("set-cookie");
    expect(clock.timers).toBe(0);
  });

  test("is not sent again where a redirect points", async () => {
    let requests = 0;
    serve((_, response) => {
      requests++;
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    expect((await send()).status).toBe(302);
    expect(requests).toBe(1);
  });

  test("never reaches an address of the machine as a public one", async () => {
    let requests = 0;
    serve((_, response) => {
      requests++;
      response.end();
    });
    await expect(send({ reach: "public" })).rejects.toMatchObject({ kind: "connect" });
    const { port } = server.address() as AddressInfo;
    const byName = new URL(`http://localhost:${port}/`);
    await expect(send({ reach: "public", url: byName })).rejects.toMatchObject({ kind: "connect" });
    expect(requests).toBe(0);
  });

  test.each(["before the answer", "within the answer"])(
    "ends when its time has passed %s",
    async (moment) => {
      serve((_, response) => {
        if (moment === "within the answer") response.writeHead(200).write("a");
        setImmediate(() => clock.advance(5_000));
      });
      await expect(send()).rejects.toMatchObject({ kind: "timeout" });
    },
  );

  test("ends with its exchange, and is not sent when that has ended before", async () => {
    serve(() => abort.abort());
    await expect(send()).rejects.toMatchObject({ kind: "aborted" });
    await expect(send()).rejects.toMatchObject({ kind: "aborted" });
    expect(clock.timers).toBe(0);
  });

  test("is given up when the answer is too large or breaks off", async () => {
    serve((request, response) => {
      if (request.method === "GET") response.end("x".repeat(1_025));
      else response.writeHead(200, { "content-length": "9" }).write("x", () => response.destroy());
    });
    await expect(send()).rejects.toMatchObject({ kind: "broken" });
    await expect(send({ method: "PUT" })).rejects.toMatchObject({ kind: "broken" });
  });

  test("fails when nobody listens", async () => {
    await expect(send({ url: new URL("http://127.0.0.1:1/") })).rejects.toMatchObject({ kind: "connect" });
  });
});
