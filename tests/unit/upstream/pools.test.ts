import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DialTarget, Pools } from "@/lib/upstream/pools";

let node: Server;
let target: DialTarget;
beforeAll(async () => {
  node = createServer((socket) =>
    socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")),
  );
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  const { port } = node.address() as AddressInfo; // a TCP server has a port
  target = {
    id: "n",
    origin: `http://127.0.0.1:${port}`,
    connectMs: 1_000,
    proxy: null,
    ca: null,
    guarded: false,
    direct: false,
  };
});
afterAll(() => node.close());

/**
 * Source: docs/reliability.md#s3-9, docs/contract.md#s3: what the file no longer declares may not dial private
 * addresses.
 */
test("a node that was refused for a while is dialled again once it is allowed again", async () => {
  const pools = new Pools({ https: null, http: null, noProxy: "" });
  const status = async () =>
    (await pools.get({ ...target }).request({ origin: target.origin, path: "/", method: "GET" })).statusCode;
  expect(await status()).toBe(204);
  for (const times of [1, 2])
    expect([times, refusalOf(() => pools.get({ ...target, guarded: true }))]).toEqual([
      times,
      "EPRIVATEADDRESS",
    ]);
  expect(await status()).toBe(204);
  await pools.destroy();
});

function refusalOf(call: () => unknown): unknown {
  try {
    call();
    return null;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}
