import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import {
  eventually,
  gatewayFor,
  logEntries,
  type ModelSpec,
  type NodeSpec,
} from "../support/gateway-fixtures";
import { Codex, codexAbsence, codexPath } from "./codex";
import { createScripted, type Scripted, type Step, scriptAbsence } from "./scripted";

const PAUSE_MS = 60;
const ready = codexPath !== null && scriptAbsence === "";
const absence = scriptAbsence || codexAbsence;

const PATCH = [
  "*** Begin Patch",
  "*** Update File: note.txt",
  "@@",
  "-the magic word is xylophone",
  '+the magic word is "glockenspiel" \\o/ é漢😀',
  "*** Add File: new.txt",
  '+tab\t, quote " and backslash \\',
  "*** End Patch",
].join("\n");
const PATCHED = {
  "note.txt": 'the magic word is "glockenspiel" \\o/ é漢😀\n',
  "new.txt": 'tab\t, quote " and backslash \\\n',
};

/** A call of a tool that takes text, as the model of each kind of node writes it. */
function custom(node: Protocol, tool: string, input: string): Step {
  return node === "responses" ? { tool, kind: "custom", input } : { tool, input: { input } };
}

/** Runs a command by the tool of plain models, or by the script that models of Codex's code mode write. */
function shell(node: Protocol, model: string, cmd: string): Step {
  if (!model.startsWith("gpt-5.6")) return { tool: "exec_command", input: { cmd } };
  return custom(
    node,
    "exec",
    `text(JSON.stringify(await tools.exec_command({ cmd: ${JSON.stringify(cmd)} })));`,
  );
}

function patch(node: Protocol, model: string): Step {
  if (!model.startsWith("gpt-5.6")) return custom(node, "apply_patch", PATCH);
  return custom(node, "exec", `text(JSON.stringify(await tools.apply_patch(${JSON.stringify(PATCH)})));`);
}

/** Calls a tool that plain models see, that others search first, and that the code mode has as a function. */
function echo(node: Protocol, model: string): Step[] {
  const input = { word: "é漢😀" };
  if (model.startsWith("gpt-5.6")) {
    const script = `text(JSON.stringify(await tools.mcp__toy__echo_word(${JSON.stringify(input)})));`;
    return [custom(node, "exec", script)];
  }
  if (node === "responses") return [{ tool: "echo_word", namespace: "mcp__toy", input }];
  const search = { tool: "tool_search", input: { query: "echo word" } };
  const call = { tool: "mcp__toy__echo_word", input };
  return model.startsWith("gpt-5.5") ? [search, call] : [call];
}

const END = { text: "All done. é漢😀" };

/** What the model does, step by step. */
const plans: Readonly<Record<string, (node: Protocol, model: string) => Step[]>> = {
  simple: () => [{ thinking: "Thinking about it. é", ...END }],
  tool: (node, model) => [{ thinking: "I should read it.", ...shell(node, model, "cat note.txt") }, END],
  parallel: (node, model) => [
    { tools: [shell(node, model, "cat note.txt"), shell(node, model, "wc -c < note.txt")] },
    END,
  ],
  patch: (node, model) => [patch(node, model), shell(node, model, "cat note.txt new.txt"), END],
  mcp: (node, model) => [...echo(node, model), END],
};

// Codex takes the abilities of a model from the beginning of its name; it knows nothing of the last one.
const families = ["gpt-5.5", "gpt-5.6-sol", "other"] as const;
const patching = ["gpt-5.5", "gpt-5.6-sol"] as const;

describe.skipIf(!ready)(`the real Codex${absence}`, () => {
  const upstreams = new Map<string, { script: Scripted; url: string }>();
  beforeAll(async () => {
    for (const { name, node, plan } of cases()) {
      const script = await createScripted(node, plan);
      upstreams.set(name, { script, url: `http://127.0.0.1:${await script.listen(0)}` });
    }
  });
  afterAll(async () => {
    for (const { script } of upstreams.values()) await script.close();
  });

  const gateway = gatewayFor({
    nodes: () =>
      cases().map(
        ({ name, node }): NodeSpec => ({
          name,
          protocol: node,
          url: upstreams.get(name)?.url ?? "",
        }),
      ),
    models: [
      ...cases().map(({ name }): ModelSpec => ({ alias: name, routes: [[name, "scripted"]] })),
      {
        alias: "gpt-5.5-dear",
        prices: { input: 1_000_000, output: 1_000_000 },
        routes: [["gpt-5.5-simple-chat", "scripted"]],
      },
    ],
    plans: [
      { id: 1, name: "Unlimited", qps: null, rpm: null, tpm: null, keyQuotaCents: 1e9, selfService: true },
      { id: 2, name: "One", qps: 1, rpm: null, tpm: null, keyQuotaCents: 1e9, selfService: true },
    ],
  });

  /** Runs turns of Codex on the model of one case; returns the last run and what the node was asked. */
  async function turns(name: string, prompts: readonly string[], withTools = false) {
    const { key } = await gateway.key();
    const codex = new Codex(gateway.server.url, key, name);
    codex.write("note.txt", ["the magic word is xylophone"]);
    if (withTools) codex.addToyServer();
    try {
      let run = await codex.run(prompts[0] ?? "");
      for (const prompt of prompts.slice(1)) run = await codex.run(prompt, true);
      const asked = upstreams.get(name)?.script.requests.filter(({ method }) => method === "POST") ?? [];
      return { run, asked, last: JSON.stringify(asked.at(-1)?.body) };
    } finally {
      codex.remove();
    }
  }

  describe.each(protocolIds)("on a %s node", (node) => {
    test("shows an answer", async () => {
      const { run, asked } = await turns(`gpt-5.5-simple-${node}`, ["Say hello."]);
      expect(run).toMatchObject({ answer: END.text, errors: [] });
      expect(asked).toHaveLength(1);
    });

    test.each(families)("runs a command and reads what it wrote, as %s", async (model) => {
      const { run, asked, last } = await turns(`${model}-tool-${node}`, ["What is the magic word?"]);
      expect(run).toMatchObject({ answer: END.text, errors: [] });
      expect(asked).toHaveLength(2);
      expect(last).toContain("the magic word is xylophone");
    });

    test.each(families)("runs parallel calls, as %s", async (model) => {
      const { run, last } = await turns(`${model}-parallel-${node}`, ["What is the magic word?"]);
      expect(run).toMatchObject({ answer: END.text, errors: [] });
      expect(last).toContain("the magic word is xylophone");
      // The code mode wants one call at a time; Gemini has no field for it, so that the gateway takes the first.
      if (node !== "gemini" || model !== "gpt-5.6-sol") expect(last).toMatch(/28\\+n/);
    });

    test.each(patching)("patches files to the byte, as %s", async (model) => {
      const { run, last } = await turns(`${model}-patch-${node}`, ["Change the magic word."]);
      expect(run).toMatchObject({ answer: END.text, errors: [], files: PATCHED });
      expect(last).toContain("glockenspiel");
    });

    test.each(families)("calls the tool of an MCP server, as %s", async (model) => {
      const { run, last } = await turns(`${model}-mcp-${node}`, ["Echo."], true);
      expect(run).toMatchObject({ answer: END.text, errors: [] });
      expect(last).toContain("echo:é漢😀");
    });

    test("resumes a conversation with all that was said", async () => {
      const { run, asked, last } = await turns(`gpt-5.5-simple-${node}`, ["Say hello.", "And again."]);
      expect(run).toMatchObject({ answer: END.text, errors: [] });
      expect(asked.length).toBeGreaterThanOrEqual(2);
      for (const said of ["Say hello.", END.text, "And again."]) expect(last).toContain(said);
    });
  });

  test("stops at once with the reason when the quota is used up", async () => {
    const { key } = await gateway.key({ quota: 1 });
    // The first answer costs more than there is.
    await (await gateway.server.gateway("/v1/responses", key, { model: "gpt-5.5-dear", input: "x" })).text();
    const codex = new Codex(gateway.server.url, key, "gpt-5.5-dear");
    const { errors } = await codex.run("Say hello.");
    codex.remove();
    expect([...new Set(errors)]).toEqual(["Quota exceeded. Check your plan and billing details."]);
  });

  test("waits as long as a rate limit says, and then finishes", { timeout: 120_000 }, async () => {
    const user = await gateway.key({ planId: 2 });
    const codex = new Codex(gateway.server.url, user.key, "gpt-5.5-simple-chat");
    // Only Codex wants streams.
    const itsCalls = async () =>
      (await logEntries(gateway.server, user)).filter(
        ({ tokenId, stream }) => tokenId === user.keyId && stream,
      );
    const isRefused = async () => (await itsCalls()).some(({ errorCode }) => errorCode === "RATE_LIMITED");
    let isOver = false;
    const takeEverySlot = async () => {
      const body = { model: "gpt-5.5-simple-chat", input: "x", store: false };
      while (!isOver) {
        await (await gateway.server.gateway("/v1/responses", user.key, body)).text();
        // The log shows the newest hundred.
        await sleep(PAUSE_MS);
      }
    };
    const others = [takeEverySlot(), takeEverySlot()];
    let answer = "";
    // Rarely a call of Codex comes just when a slot is free.
    for (let run = 0; run < 5 && !(await isRefused()); run += 1) {
      const running = codex.run("Say hello.");
      const refused = eventually(async () => ((await isRefused()) ? true : null), 20_000).catch(() => null);
      await Promise.race([running, refused]);
      isOver = await isRefused();
      answer = (await running).answer;
    }
    isOver = true;
    await Promise.all(others);
    codex.remove();
    expect(answer).toBe(END.text);
    const calls = (await itsCalls()).sort((a, b) => a.createdAt.localeCompare(b.createdAt)).slice(-2);
    expect(calls.map(({ status }) => status)).toEqual(["error", "success"]);
    const [refused, served] = calls.map(({ createdAt }) => Date.parse(createdAt));
    // Left to itself it tries again after some 200 ms.
    expect(Number(served) - Number(refused)).toBeGreaterThanOrEqual(900);
  });

  test("stops at once with the gateway's words when there is no such model", async () => {
    const { key } = await gateway.key();
    const codex = new Codex(gateway.server.url, key, "gpt-5.5-unknown");
    const { errors } = await codex.run("Say hello.");
    codex.remove();
    expect([...new Set(errors)]).toEqual(["There is no model `gpt-5.5-unknown`. GET /v1/models lists them."]);
  });
});

/** Every plan as the model of every kind of node and family carries it out. */
function cases(): { name: string; node: Protocol; plan: Step[] }[] {
  return protocolIds.flatMap((node) =>
    families.flatMap((model) =>
      Object.entries(plans).map(([scenario, plan]) => ({
        name: `${model}-${scenario}-${node}`,
        node,
        plan: plan(node, model),
      })),
    ),
  );
}
