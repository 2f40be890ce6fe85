import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  clients,
  embeddingClients,
  embeddingSnippet,
  envLines,
  snippet,
} from "@/components/snippets/snippets";

const baseUrl = "https://gateway.example";
const apiKey = "tgw-abc";
const values = { baseUrl, apiKey: null, model: "demo-chat" };
const codes = [
  ...clients.map((client) => [client, snippet(client, values)] as const),
  ...embeddingClients.map((client) => [`${client} (embeddings)`, embeddingSnippet(client, values)] as const),
];

/** The variables that code reads and does not set itself. */
function variablesOf(code: string): string[] {
  const read = [
    ...code.matchAll(
      /\$([A-Z_]+)|os\.environ\["([A-Z_]+)"\]|process\.env\.([A-Z_]+)|env_key = "([A-Z_]+)"|secrets\.([A-Z_]+)/g,
    ),
  ];
  return read.map((match) => match.slice(1).find((name) => name !== undefined) ?? "");
}

it("tells Codex to use WebSockets unless the gateway serves none", () => {
  expect(snippet("codex", values)).toContain("supports_websockets = true");
  expect(snippet("codex", { ...values, webSockets: false })).toContain("supports_websockets = false");
});

describe("the .env block of a key", () => {
  const block = envLines({ baseUrl, apiKey });
  const names = block
    .trim()
    .split("\n")
    .map((line) => line.split("=")[0]);

  it.each(codes)("has each variable that the code for %s reads", (_client, code) => {
    for (const name of variablesOf(code)) expect(names).toContain(name);
  });

  it("sets one credential for Anthropic's clients, which warn about two", () => {
    expect(names.filter((name) => /^ANTHROPIC_(API_KEY|AUTH_TOKEN)$/.test(name ?? ""))).toEqual([
      "ANTHROPIC_AUTH_TOKEN",
    ]);
  });

  it("makes a shell's first call carry the key", () => {
    const script = `set -a\n${block}set +a\ncurl() { printf '%s\\n' "$@"; }\n${snippet("curl", values)}`;
    const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
    expect(stdout).toContain(`Authorization: Bearer ${apiKey}\n`);
  });
});

describe("a snippet without a key", () => {
  it.each(codes)("for %s has no variable of a shell inside a string that no shell reads", (client, code) => {
    const isShell = client.startsWith("curl") || ["claude-code", "gemini-cli"].includes(client);
    expect(/["'][^"'\n]*\$[A-Z_]+/.test(code) && !isShell).toBe(false);
  });

  it.each(["openai-python", "anthropic-python"] as const)(
    "imports what %s reads the variable with",
    (client) => {
      expect(snippet(client, values)).toMatch(/^import os\n/);
      expect(snippet(client, { ...values, apiKey })).not.toContain("import os");
    },
  );
});

describe("a snippet with a key", () => {
  it.each(clients)("for %s has the key itself, and none in place of it", (client) => {
    const code = snippet(client, { ...values, apiKey });
    expect(code).toContain(apiKey);
    expect(code).not.toContain("tgw-…");
    expect(variablesOf(code).filter((name) => name !== "TOLLGATE_API_KEY")).toEqual([]);
  });
});
