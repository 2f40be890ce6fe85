import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Dial, DialPause } from "@/lib/db/dial";

/** Source: docs/adr/0021-sockets-of-the-database.md#decision. */
describe("the sockets of one client of the driver", () => {
  let server: Server;
  let accepted: number;
  let pause: DialPause;
  beforeEach(async () => {
    accepted = 0;
    pause = new DialPause();
    server = createServer((socket) => {
      accepted += 1;
      socket.on("error", () => {}); // the client may leave first
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(async () => {
    server.close();
    await once(server, "close");
  });

  function open(dial: Dial): Promise<Socket> {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("it listens at no port");
    return dial.open({ host: ["127.0.0.1"], port: [address.port], path: false });
  }

  /** How a socket that does not connect fails, which its owner hears although it is given the socket first. */
  async function failure(socket: Socket): Promise<unknown> {
    const [error] = await once(socket, "error").catch((thrown: unknown) => [thrown]);
    return error;
  }

  test("connect, and again after an answer", async () => {
    const dial = new Dial(pause);
    for (let round = 0; round < 2; round++) {
      const socket = await open(dial);
      await once(socket, "connect");
      dial.answered();
      socket.destroy();
    }
    expect(accepted).toBe(2);
  });

  test("fail without an attempt after one that had no answer", async () => {
    const dial = new Dial(pause);
    const socket = await open(dial);
    await once(socket, "connect");
    socket.destroy();
    expect(await failure(await open(dial))).toMatchObject({ code: "CONNECTION_CLOSED" });
    expect(accepted).toBe(1);
  });

  test("wait after failures, longer each time up to half a second, and no more after an answer", async () => {
    const dial = new Dial(pause);
    (await open(dial)).destroy();
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      dial.failed();
      const startMs = performance.now();
      await pause.over();
      waits.push(performance.now() - startMs);
    }
    expect(waits[0]).toBeLessThan(waits[7] ?? 0);
    expect(waits[7]).toBeGreaterThan(450);
    expect(waits[7]).toBeLessThan(1_500); // a busy machine wakes late
    dial.failed();
    dial.answered();
    const startMs = performance.now();
    await pause.over();
    expect(performance.now() - startMs).toBeLessThan(400);
  });

  test("are not opened for a client that was ended during the pause", async () => {
    pause.failed();
    const dial = new Dial(pause);
    const opening = open(dial);
    dial.end();
    expect(await failure(await opening)).toMatchObject({ code: "CONNECTION_DESTROYED" });
    expect(accepted).toBe(0);
  });

  test("are destroyed when their client ends while they connect", async () => {
    const dial = new Dial(pause);
    const socket = await open(dial);
    dial.end();
    expect(socket.destroyed).toBe(true);
  });
});
