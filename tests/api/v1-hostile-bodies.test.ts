import { describe, expect, test } from "vitest";
import { chatBody, eventually, keyMoney, logEntries } from "../support/gateway-fixtures";
import { CHAT, hostileRig, MESSAGES, pairs } from "../support/hostile-rig";
import { rawCall } from "../support/raw-http";
import { expectRefusal } from "../support/v1-refusal";

const MIB = 1024 * 1024;
const rig = hostileRig();

/** Source: docs/reliability.md#r-125. */
describe("a body of many megabytes", () => {
  const bodyOf = (model: string, bytes: number) =>
    JSON.stringify(chatBody(model, { messages: [{ role: "user", content: "x".repeat(bytes) }] }));

  test.each([CHAT, MESSAGES])(
    "of 12 to %s is refused, with a length and in pieces, and reaches no node",
    async (path) => {
      const calls = rig.node.calls.length;
      for (const pieces of [false, true])
        expectRefusal(await rig.send(path, bodyOf("on-chat", 12 * MIB), pieces), path, "PAYLOAD_TOO_LARGE");
      expect(rig.node.calls.length).toBe(calls);
      expect(await keyMoney(rig.gateway.server, rig.user)).toMatchObject({ held: 0 });
    },
  );

  test.each(pairs)("of 9 to $path arrives whole ($model)", async ({ path, model }) => {
    for (const pieces of [false, true]) {
      expect((await rig.send(path, bodyOf(model, 9 * MIB), pieces)).status).toBe(200);
      const arrived: { messages: { content: string | { text: string }[] }[] } = JSON.parse(
        rig.node.calls.at(-1)?.body ?? "{}",
      );
      const content = arrived.messages[0]?.content;
      const said = Array.isArray(content) ? content[0]?.text : content;
      expect(said?.length).toBe(9 * MIB);
    }
  });
});

/** Source: docs/reliability.md#r-123. */
test("bodies made to be slow to read are refused while other streams go on", async () => {
  const gaps: number[] = [];
  let streaming = true;
  const stream = rig.gateway.server.gateway(
    CHAT,
    rig.user.key,
    chatBody("steady", { stream: true, max_tokens: 5_000 }),
  );
  const heard = stream.then(async (answer) => {
    let last = performance.now();
    for await (const _ of answer.body ?? []) {
      gaps.push(performance.now() - last);
      last = performance.now();
    }
    streaming = false;
  });
  await eventually(async () => (gaps.length > 0 ? true : null));
  const nested = '{"model":"on-chat","max_tokens":1,"messages":';
  const manyNames = `{${Array.from({ length: 700_000 }, (_, index) => `"k${index}":1`).join(",")}}`;
  const hostile = [
    nested + "[".repeat(100_000),
    nested + '{"a":'.repeat(400_000),
    "[".repeat(2_000_000),
    manyNames,
    `"${"x".repeat(5_000_000)}"`,
    `${nested}"${"\\\\".repeat(2_500_000)}"`,
    `${nested}[{"role":"user","content":"${"\\u0000".repeat(800_000)}"}]}`,
    `${nested}[${'{"role":"user","content":"x"},'.repeat(30_000)}{}]}`,
  ];
  for (const path of [CHAT, MESSAGES]) {
    for (const text of hostile)
      expect([text.slice(0, 60), (await rig.send(path, text)).status]).toEqual([text.slice(0, 60), 400]);
  }
  await heard;
  expect(streaming).toBe(false);
  expect(gaps.length).toBeGreaterThan(100);
  // What this bounds is a parse of seconds; a crowded machine alone makes gaps of some hundred milliseconds.
  expect(Math.max(...gaps)).toBeLessThan(1_500);
});

/** Source: docs/reliability.md#r-132. */
test("names that are parts of every object change nothing for anybody, wherever they stand", async () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];
  const poison = `{"stream":true,"polluted":"yes","temperature":5,"prototype":{"polluted":"yes"},"role":"admin"}`;
  const plain = new Map<string, string>();
  for (const { path, model } of pairs) plain.set(path + model, await plainRequest(path, model));
  for (const name of names) {
    const bodies = [
      `{"model":"MODEL","max_tokens":5,"messages":[{"role":"user","content":"Hi"}],"${name}":${poison}}`,
      `{"${name}":${poison},"model":"MODEL","max_tokens":5,"messages":[{"role":"user","content":"Hi","${name}":${poison}}]}`,
      `{"model":"MODEL","max_tokens":5,"metadata":{"${name}":"x"},"messages":[{"role":"user","content":[{"type":"text","text":"Hi","${name}":${poison}}]}]}`,
      `{"model":"MODEL","max_tokens":5,"tools":[{"type":"function","name":"f","input_schema":{"type":"object","properties":{"${name}":${poison}}},"function":{"name":"f","parameters":{"type":"object","properties":{"${name}":{"type":"string"}}}}}],"messages":[{"role":"user","content":"Hi"}]}`,
      `{"model":"${name}","max_tokens":5,"messages":[{"role":"user","content":"Hi"}]}`,
      `{"model":"MODEL","max_tokens":5,"tool_choice":{"type":"${name}"},"messages":[{"role":"${name}","content":"Hi"}]}`,
    ];
    for (const { path, model } of pairs) {
      for (const body of bodies) {
        const answer = await rig.send(path, body.replace("MODEL", model));
        expect([name, path, [200, 400, 404].includes(answer.status), answer.status]).toEqual([
          name,
          path,
          true,
          answer.status,
        ]);
        if (answer.status === 200) expect(answer.headers["content-type"]).toBe("application/json");
      }
      expect(await plainRequest(path, model)).toBe(plain.get(path + model));
    }
    const created = await rig.gateway.server.api(
      "POST",
      "/api/user/tokens",
      rig.user.token,
      JSON.parse(`{"name":"x","${name}":${poison}}`),
    );
    expect([name, created.status]).toEqual([name, 400]);
  }
  expect((await rig.gateway.server.api("GET", "/api/admin/users", rig.user.token)).status).toBe(403);
  expect((await rig.gateway.server.gateway(`/v1/models/__proto__`, rig.user.key)).status).toBe(404);

  /** What an ordinary request looks like when it arrives at the node, and its answer's shape. */
  async function plainRequest(path: string, model: string): Promise<string> {
    const answer = await rig.send(path, JSON.stringify(chatBody(model)));
    expect(answer.status).toBe(200);
    return `${rig.node.calls.at(-1)?.body} ${Object.keys(JSON.parse(answer.body)).join()}`;
  }
});

/** Source: docs/reliability.md#r-127, #r-131. */
test("a model's name with a NUL, half a character, 10,000 characters or look-alikes is no model, and the log takes it", async () => {
  const names = [
    "on-chat\0",
    "\ud800",
    "x".repeat(10_000),
    "ON-CHAT",
    " on-chat",
    "on-chat ",
    "оn-chat",
    "ｏn-chat",
    "on‑chat",
    "on-chat\u200b",
    "../on-chat",
    "on-chat/../on-chat",
    "%6fn-chat",
    "on-chat?x=1",
    "on-chat#",
  ];
  const other = await rig.gateway.key();
  for (const model of names) {
    for (const path of [CHAT, MESSAGES]) {
      const answer = await rig.gateway.server.gateway(path, other.key, chatBody(model));
      expect([model.slice(0, 20), [400, 404].includes(answer.status)]).toEqual([model.slice(0, 20), true]);
      await answer.arrayBuffer();
    }
    const looked = await rawCall(rig.gateway.server.url, {
      method: "GET",
      path: `/v1/models/${encodeURIComponent(model.replace("\ud800", "�")).slice(0, 7_000)}`,
      headers: { authorization: `Bearer ${other.key}` },
    });
    expect([model.slice(0, 20), looked.status]).toEqual([model.slice(0, 20), 404]);
  }
  const entries = (await logEntries(rig.gateway.server, other)).filter(
    ({ tokenId }) => tokenId === other.keyId,
  );
  expect(entries.length).toBeGreaterThan(names.length);
  expect(new Set(entries.map(({ model }) => model))).toEqual(new Set(["(unknown)"]));
});
