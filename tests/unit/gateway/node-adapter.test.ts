import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type NodeHandler, nodeHandler } from "@/lib/gateway/node-adapter";
import { GenerationRig, settled } from "./generation-rig";

let rig: GenerationRig;
let found: (key: null) => void = () => {};
let handler: NodeHandler;
const server = createServer((request, response) =>
  handler(request, response, "/v1/chat/completions", "", (error) => expect.unreachable(String(error))),
);
beforeEach(async () => {
  rig = new GenerationRig(["chat"]);
  const known = rig.gateway.keys.peek("");
  const keys = {
    peek: () => undefined,
    get: () =>
      new Promise<typeof known & object>((resolve) => {
        found = () => resolve(known as typeof known & object); // the rig knows every key
      }),
  };
  handler = nodeHandler({ ...rig.gateway, keys }, { maxBodyBytes: 1_000, trustProxy: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});

test("a client that leaves while its key is looked up does not stay in flight", async () => {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const key = rig.secret;
  const arrived = once(server, "request");
  socket.write(
    `POST / HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{`,
  );
  const [request] = await arrived;
  const closed = new Promise((resolve) => request.on("close", resolve)); // `once` would listen for errors too
  socket.destroy();
  await closed;
  expect(rig.drain.inFlight).toBe(1);
  found(null);
  await settled();
  await settled();
  expect(rig.drain.inFlight).toBe(0);
  expect(rig.settlements).toMatchObject([{ status: "cancelled", costMicroCents: 0n }]);
});
