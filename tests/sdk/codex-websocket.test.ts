import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { gatewayFor, logEntries } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";
import { Codex, codexAbsence, codexPath } from "./codex";
import { createScripted, type Scripted, scriptAbsence } from "./scripted";

const ready = codexPath !== null && scriptAbsence === "";
const absence = scriptAbsence || codexAbsence;

const END = { text: "All done. é漢😀" };
const plan = [{ thinking: "I should read it.", tool: "exec_command", input: { cmd: "cat note.txt" } }, END];

/** Codex offers its usual tools to this model. */
const aliasOn = (node: Protocol) => `gpt-5.5-${node}`;

/** Source: docs/websocket.md#clients. */
describe.skipIf(!ready)(`the real Codex with supports_websockets${absence}`, () => {
  const upstreams = new Map<Protocol, { script: Scripted; url: string }>();
  beforeAll(async () => {
    for (const node of protocolIds) {
      const script = await createScripted(node, plan);
      upstreams.set(node, { script, url: `http://127.0.0.1:${await script.listen(0)}` });
    }
  });
  afterAll(async () => {
    for (const { script } of upstreams.values()) await script.close();
  });
  const spec = {
    nodes: () =>
      protocolIds.map((node) => ({
        name: `n-${node}`,
        protocol: node,
        url: upstreams.get(node)?.url ?? "",
      })),
    models: [
      ...protocolIds.map((node) => ({
        alias: aliasOn(node),
        routes: [[`n-${node}`, "scripted"]] as [string, string][],
      })),
      {
        alias: "gpt-5.5-dear",
        prices: { input: 1_000_000, output: 1_000_000 },
        routes: [["n-chat", "scripted"]] as [string, string][],
      },
    ],
  };
  const gateway = gatewayFor(spec);
  const without = gatewayFor({ ...spec, env: { WS_RESPONSES: "0" } });

  /** Runs one prompt; returns what Codex did, and the log of its calls. */
  async function run(at: typeof gateway, user: TestUser, model: string) {
    const codex = new Codex(at.server.url, user.key, model, ["supports_websockets = true"]);
    codex.write("note.txt", ["the magic word is xylophone"]);
    try {
      const done = await codex.run("What is the magic word?");
      const entries = (await logEntries(at.server, user)).filter(({ tokenId }) => tokenId === user.keyId);
      const details = await Promise.all(
        entries.map(async ({ requestId }) => {
          const found = await at.server.api<{ connection: { id: string; turn: number } | null }>(
            "GET",
            `/api/user/logs/${requestId}`,
            user.token,
          );
          return found.body.connection;
        }),
      );
      return { run: done, entries, connections: details };
    } finally {
      codex.remove();
    }
  }

  test.each(protocolIds)(
    "finishes a tool loop on one socket, its prewarm unbilled, on a %s node",
    async (node) => {
      const user = await gateway.key();
      const { run: done, entries, connections } = await run(gateway, user, aliasOn(node));
      expect(done).toMatchObject({ answer: END.text, errors: [] });
      expect(entries.map(({ status }) => status)).toEqual(["success", "success"]);
      // The prewarm is a turn of the socket, but no entry of the log.
      expect(connections.map((connection) => connection?.turn).sort()).toEqual([2, 3]);
      expect(new Set(connections.map((connection) => connection?.id)).size).toBe(1);
      const asked = upstreams.get(node)?.script.requests.filter(({ method }) => method === "POST") ?? [];
      expect(asked).toHaveLength(2);
      expect(JSON.stringify(asked.at(-1)?.body)).toContain("the magic word is xylophone");
      expect(JSON.stringify(asked.at(-1)?.body)).toContain("What is the magic word?");
    },
  );

  test("goes on over HTTP after one handshake where sockets are not served", async () => {
    const user = await without.key();
    const { run: done, connections } = await run(without, user, aliasOn("chat"));
    expect(done.answer).toBe(END.text);
    expect(connections).not.toEqual([]);
    expect(connections.every((connection) => connection === null)).toBe(true);
    const metrics = await (await fetch(`${without.server.url}/metrics`)).text();
    expect(metrics).toMatch(/^tollgate_replies_total\{protocol="responses",status="426"\} 1$/m);
  });

  test("stops at once with the reason when the quota is used up", async () => {
    const user = await gateway.key({ quota: 1 });
    // The first answer costs more than there is.
    const body = { model: "gpt-5.5-dear", input: "x" };
    await (await gateway.server.gateway("/v1/responses", user.key, body)).text();
    const { run: done } = await run(gateway, user, "gpt-5.5-dear");
    expect([...new Set(done.errors)]).toEqual(["Quota exceeded. Check your plan and billing details."]);
  });
});
