import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, eventually, keyMoney } from "@/tests/support/gateway-fixtures";
import { type ScriptedUpstream, startScriptedUpstream } from "@/tests/support/scripted-upstream";
import type { TestUser } from "@/tests/support/server";
import { heldMemory, Rig } from "./support/rig";

/** What a node says with its 429, and for how long it is left alone. Units: seconds. */
const waits: Record<string, { header?: () => string; seconds: [least: number, most: number] }> = {
  "5": { header: () => "5", seconds: [5, 5] },
  "an HTTP date": { header: () => new Date(Date.now() + 8_000).toUTCString(), seconds: [7, 8] },
  "-1": { header: () => "-1", seconds: [1, 1] },
  "99999": { header: () => "99999", seconds: [60, 60] },
  nothing: { seconds: [5, 5] },
};
const names = Object.keys(waits);
const LINE_MIB = 100;
const TIMES = 5;
const GROWTH_BYTES = 24 * 1024 * 1024;

let upstream: ScriptedUpstream;
let rig: Rig;
let user: TestUser;
beforeAll(async () => {
  upstream = await startScriptedUpstream((response, call) => {
    const model = /"model":"([^"]+)"/.exec(call.body)?.[1] ?? "";
    if (model === "line") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: ");
      let left = LINE_MIB * 16;
      const write = () => {
        while (left > 0 && !response.destroyed) {
          left -= 1;
          if (!response.write("y".repeat(64 * 1024))) return;
        }
        if (left === 0) response.end("\n\n");
      };
      response.on("drain", write);
      return write();
    }
    const header = waits[names[Number(model)] ?? ""]?.header;
    if (header) response.setHeader("retry-after", header());
    response.writeHead(429, { "content-type": "application/json" }).end('{"error":{"message":"slow down"}}');
  });
  rig = await Rig.start({
    database: "embedded",
    nodes: [
      ...names.map((_, index) => ({ name: `limited-${index}`, url: upstream.url })),
      { name: "lines", url: upstream.url },
    ],
    models: [
      ...names.map((_, index) => ({
        alias: `limited-${index}`,
        routes: [
          [`limited-${index}`, String(index), 0],
          ["chat", "sim-usage-1000-500", 1],
        ] as [string, string, number][],
      })),
      { alias: "alone", routes: [["limited-0", "0"]] },
      { alias: "line", routes: [["lines", "line"]] },
    ],
  });
  user = await rig.gateway.key();
});
afterAll(async () => {
  await rig.stop();
  await upstream.close();
});

interface NodeView {
  name: string;
  health: { returnsInMs: number; models: { returnsInMs: number }[] };
}

/** When the node is asked again, as the admin is told. Units: seconds. */
async function returnsIn(name: string): Promise<number> {
  const token = await rig.server.adminToken();
  const { body } = await rig.server.api<{ data: NodeView[] }>("GET", "/api/admin/nodes", token);
  const health = body.data.find((node) => node.name === name)?.health;
  const waits = [health?.returnsInMs ?? 0, ...(health?.models ?? []).map((model) => model.returnsInMs)];
  return Math.max(...waits) / 1_000;
}

async function statusOf(model: string): Promise<{ status: number; retryAfter: string | null }> {
  const answer = await rig.server.gateway("/v1/chat/completions", user.key, chatBody(model));
  await answer.arrayBuffer();
  return { status: answer.status, retryAfter: answer.headers.get("retry-after") };
}

/** Source: docs/reliability.md#r-74. */
describe("a node that says 429", () => {
  test.each(names.map((name, index) => ({ name, index })))(
    "with Retry-After $name is left alone for that long, within 1 and 60 s, and another answers",
    async ({ name, index }) => {
      const [least = 0, most = 0] = waits[name]?.seconds ?? [];
      const before = upstream.calls.length;
      const begun = performance.now();
      expect((await statusOf(`limited-${index}`)).status).toBe(200);
      const seconds = await returnsIn(`limited-${index}`);
      const elapsed = (performance.now() - begun) / 1_000;
      expect(seconds).toBeGreaterThan(least - elapsed - 0.1);
      expect(seconds).toBeLessThanOrEqual(most);
      expect((await statusOf(`limited-${index}`)).status).toBe(200);
      expect(upstream.calls.length).toBe(before + 1);
    },
  );

  test("and is the only one makes a 503 with a wait, never a 429: the client's own limit is not the reason", async () => {
    const { status, retryAfter } = await statusOf("alone");
    expect(status).toBe(503);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    expect(Number(retryAfter)).toBeLessThanOrEqual(30);
  });
});

/** Source: docs/reliability.md#r-70. */
test(`a node that sends lines of ${LINE_MIB} MiB is cut at 32 Mi characters of each, and memory is given back`, async () => {
  const stream = chatBody("line", { stream: true });
  const call = async () => {
    const answer = await rig.server.gateway("/v1/chat/completions", user.key, stream);
    await answer.arrayBuffer();
    return answer.status;
  };
  await call();
  const before = await heldMemory(rig.server);
  for (let time = 0; time < TIMES; time++) expect(await call()).toBeGreaterThanOrEqual(502);
  await eventually(
    async () => ((await heldMemory(rig.server)) - before < GROWTH_BYTES ? true : null),
    15_000,
  );
  expect((await keyMoney(rig.server, user)).held).toBe(0);
});
