import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, test } from "vitest";

describe("the simulated provider as a child", () => {
  test("answers through the signals that a terminal sends to its parent too, and ends with its parent", async () => {
    const child = fork(path.resolve("dist/simulator.js"), { execArgv: [] });
    const ended = once(child, "exit");
    const [url] = await once(child, "message");
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) child.kill(signal);
    const models = await fetch(`${url}/v1/models`);
    expect(models.status).toBe(200);
    child.disconnect(); // what it sees when its parent dies
    expect(await ended).toEqual([0, null]);
  });
});
