import { Agent, get } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";
import { Drain } from "@/lib/admission/drain";
import { createLog } from "@/lib/ops/log";
import { createHttpServer } from "@/lib/process/http-server";
import { acceptingMs, runUntilSignal } from "@/lib/process/signals";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** A listening server with a short drain, as the program makes it, whose answers end when they are told to. */
async function running(drainSeconds: number, drainAcceptSeconds: number | null = null) {
  const drain = new Drain();
  const waiting: (() => void)[] = [];
  const slow = async () => new Promise<void>((resolve) => waiting.push(resolve));
  const nobody = async () => {};
  const server = createHttpServer({
    async gateway(_request, response, path) {
      drain.requestStarted();
      if (path === "/v1/slow") await slow();
      response.end("done");
      drain.requestEnded();
    },
    metrics: nobody,
    api: nobody,
    pages: nobody,
    failed: () => {},
    refused: () => {},
    signInRefusal: () => null,
  });
  const stop = vi.fn(async () => {});
  const settings = { host: "127.0.0.1", port: 0, drainSeconds, drainAcceptSeconds };
  const runtime = { settings, drain, log: createLog("silent") };
  const before = SIGNALS.map((signal) => process.listeners(signal));
  await runUntilSignal(server, { runtime, announce: async () => {}, reload: async () => {}, stop });
  const handlers = SIGNALS.map((signal, index) => {
    const handler = process.listeners(signal).find((listener) => !before[index]?.includes(listener));
    if (handler !== undefined) process.off(signal, handler); // this process is the tests'
    return handler;
  });
  const { port } = server.address() as AddressInfo;
  const [terminate, interrupt] = handlers;
  return {
    server,
    drain,
    port,
    waiting,
    stop,
    terminate: () => terminate?.("SIGTERM"),
    interrupt: () => interrupt?.("SIGINT"),
  };
}

/** Asks once; the answer's `connection` header, or null when there was no answer. */
function ask(port: number, path: string, agent: Agent): Promise<string | null> {
  return new Promise((resolve) => {
    const request = get({ host: "127.0.0.1", port, path, agent }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.headers.connection ?? ""));
    });
    request.once("error", () => resolve(null));
  });
}

test("new calls are taken for a twenty-fourth of the drain, at least two seconds and at most five", () => {
  const untold = (drainSeconds: number) => acceptingMs({ drainSeconds, drainAcceptSeconds: null });
  expect([0, 1, 24, 60, 120, 3_600].map(untold)).toEqual([2_000, 2_000, 2_000, 2_500, 5_000, 5_000]);
});

test("new calls are taken for as long as the operator says", () => {
  expect(acceptingMs({ drainSeconds: 120, drainAcceptSeconds: 0 })).toBe(0);
  expect(acceptingMs({ drainSeconds: 120, drainAcceptSeconds: 30 })).toBe(30_000);
});

/** Source: docs/reliability.md#s2-11. */
test("from the signal on, every answer says that its connection ends, also one that was under way", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  const { server, port, waiting, terminate } = await running(20);
  const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const underWay = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (const agent of agents) expect(await ask(port, "/v1/quick", agent)).toBe("keep-alive");
    const slow = ask(port, "/v1/slow", underWay);
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    terminate();
    expect(await Promise.all(agents.map((agent) => ask(port, "/v1/quick", agent)))).toEqual(
      agents.map(() => "close"),
    );
    for (const end of waiting) end();
    expect(await slow).toBe("close");
    await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(0), 10_000);
  } finally {
    exit.mockRestore();
    server.closeAllConnections();
  }
});

/** Source: docs/reliability.md#s2-11, #r-151. */
test("with a short drain new calls are taken until the listeners close, after two seconds; kept connections then end with the answer under way", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  const { server, port, waiting, stop, terminate } = await running(20);
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const closed = new Agent({ keepAlive: false });
  try {
    const begun = performance.now();
    terminate();
    const underWay = ask(port, "/v1/slow", kept);
    let lastMs = 0;
    while ((await ask(port, "/v1/quick", closed)) !== null) lastMs = performance.now() - begun;
    expect(lastMs).toBeGreaterThan(1_500);
    expect(stop).not.toHaveBeenCalled();
    for (const end of waiting) end();
    expect(await underWay).toBe("close");
    expect(await ask(port, "/v1/quick", kept)).toBeNull();
    await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(0));
    expect(stop).toHaveBeenCalledTimes(1);
  } finally {
    exit.mockRestore();
    server.closeAllConnections();
  }
});

/** Source: docs/contract.md#s1-node. */
test("a signal that arrives twice at once drains; a later second one ends the process", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  const { server, waiting, port, interrupt } = await running(20);
  const agent = new Agent({ keepAlive: false });
  try {
    const answered = ask(port, "/v1/slow", agent);
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    vi.useFakeTimers({ toFake: ["performance"] });
    interrupt();
    interrupt();
    vi.advanceTimersByTime(499);
    interrupt();
    expect(exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    interrupt();
    expect(exit).toHaveBeenCalledWith(130);
    vi.useRealTimers();
    for (const finish of waiting) finish();
    expect(await answered).toBe("close");
    await vi.waitFor(() => expect(exit).toHaveBeenLastCalledWith(0));
  } finally {
    vi.useRealTimers();
    exit.mockRestore();
    server.closeAllConnections();
  }
});

/** Source: docs/contract.md#s9. */
test.each([
  ["SIGTERM, with the time in which new calls are taken", "terminate", 20, 20_000],
  ["SIGTERM with less than two seconds, when new calls have been taken for two", "terminate", 1, 2_000],
  ["SIGINT", "interrupt", 20, 20_000],
] as const)(
  "what runs is cut when the time to drain is over after %s",
  async (_, end, drainSeconds, cutMs) => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    const { server, drain, waiting, port, ...program } = await running(drainSeconds);
    const agent = new Agent({ keepAlive: false });
    try {
      const answered = ask(port, "/v1/slow", agent);
      await vi.waitFor(() => expect(waiting).toHaveLength(1));
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      program[end]();
      await vi.advanceTimersByTimeAsync(cutMs - 1);
      expect(drain.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(2); // a timer of 0 ms takes one
      expect(drain.aborted).toBe(true);
      vi.useRealTimers();
      for (const finish of waiting) finish();
      expect(await answered).toBe("close");
      await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(0));
    } finally {
      vi.useRealTimers();
      exit.mockRestore();
      server.closeAllConnections();
    }
  },
);
