import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { certificateSkipReason } from "../support/certificates";
import { CloudVendors, cloudCredentials, hosts } from "../support/cloud-vendors";
import { gatewayFor, logEntries } from "../support/gateway-fixtures";
import { claudeCodeAbsence, claudeCodePath, runClaudeCode } from "./claude-code";
import { Codex, codexAbsence, codexPath } from "./codex";
import { createScripted, type Scripted, type Step, scriptAbsence } from "./scripted";

const without = certificateSkipReason !== null || scriptAbsence !== "";

const NOTE = "the magic word is xylophone\n";
const END = { text: "All done. é漢😀" };
const plans = {
  claudeCode: [{ tool: "Bash", input: { command: "cat note.txt", description: "Reads the note" } }, END],
  codex: [{ tool: "exec_command", input: { cmd: "cat note.txt" } }, END],
};

const protocol = "messages" as const;
const vertex = `https://${hosts.vertex}/v1/projects/p/locations/us-central1`;
const nodes = [
  { name: "bedrock", protocol, baseUrl: `https://${hosts.bedrock}`, credential: cloudCredentials.keys },
  { name: "vertex", protocol, baseUrl: vertex, credential: cloudCredentials.google },
];
const upstreamModels = {
  bedrock: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  vertex: "claude-sonnet-4-5@20250929",
} as Record<string, string>;

let vendors: CloudVendors;
let script: Scripted;
let address = "";

/** Starts a model that carries out a plan. */
async function follow(plan: readonly Step[]): Promise<void> {
  await script?.close();
  script = await createScripted("messages", plan);
  address = `http://127.0.0.1:${await script.listen(0)}`;
}

beforeAll(async () => {
  if (without) return;
  vendors = new CloudVendors(() => address);
  await vendors.start();
});
afterAll(async () => {
  await vendors?.close();
  await script?.close();
});

const gateway = gatewayFor({
  nodes: () => (without ? [] : nodes),
  models: without
    ? []
    : nodes.map(({ name }) => ({ alias: `claude-on-${name}`, routes: [[name, upstreamModels[name] ?? ""]] })),
  get env() {
    return { ...vendors?.environment };
  },
});

/** The streamed calls of a key. */
async function billed(user: Awaited<ReturnType<typeof gateway.key>>) {
  const entries = await logEntries(gateway.server, user);
  return entries.filter(({ tokenId, stream }) => tokenId === user.keyId && stream);
}

/** Source: docs/clouds.md#forms. */
describe.skipIf(without)(`programs on Claude at a cloud${scriptAbsence}`, () => {
  describe.skipIf(claudeCodePath === null)(`Claude Code${claudeCodeAbsence}`, () => {
    beforeEach(() => follow(plans.claudeCode));

    test.each(nodes)(
      "runs a command and reads what it wrote, on $name",
      { timeout: 120_000 },
      async ({ name }) => {
        const user = await gateway.key();
        const call = { gateway: gateway.server.url, key: user.key, model: `claude-on-${name}` };
        const run = await runClaudeCode(call, "What is the magic word?", { "note.txt": NOTE });
        expect(run).toEqual({ answer: END.text, isError: false });
        expect(JSON.stringify(script.requests.at(-1)?.body)).toContain("the magic word is xylophone");
        const entries = await billed(user);
        expect(entries.length).toBeGreaterThanOrEqual(2);
        expect(entries.map(({ status, usageSource }) => [status, usageSource])).toEqual(
          entries.map(() => ["success", "upstream"]),
        );
      },
    );
  });

  describe.skipIf(codexPath === null)(`Codex${codexAbsence}`, () => {
    beforeEach(() => follow(plans.codex));

    test.each(nodes)(
      "runs a command and reads what it wrote, on $name",
      { timeout: 120_000 },
      async ({ name }) => {
        const user = await gateway.key();
        const codex = new Codex(gateway.server.url, user.key, `claude-on-${name}`);
        codex.write("note.txt", [NOTE.trim()]);
        const run = await codex.run("What is the magic word?");
        codex.remove();
        expect(run).toMatchObject({ answer: END.text, errors: [] });
        expect(JSON.stringify(script.requests.at(-1)?.body)).toContain("the magic word is xylophone");
        expect((await billed(user)).map(({ status }) => status)).toEqual(["success", "success"]);
      },
    );
  });
});
