import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const WITHIN_MS = 90_000;

/** The Claude Code of this machine: `CLAUDE_CODE_PATH`, or the command of the search path; null without one. */
export const claudeCodePath = findClaudeCode();

/** Why suites are skipped. */
export const claudeCodeAbsence =
  claudeCodePath === null
    ? " (skipped: no Claude Code; install @anthropic-ai/claude-code elsewhere and set CLAUDE_CODE_PATH)"
    : "";

/** Runs one prompt of Claude Code against a gateway, with files in its folder; returns its last answer. */
export async function runClaudeCode(
  call: { gateway: string; key: string; model: string },
  prompt: string,
  files: Readonly<Record<string, string>>,
): Promise<{ answer: string; isError: boolean }> {
  const folder = mkdtempSync(path.join(tmpdir(), "tollgate-claude-code-"));
  const project = path.join(folder, "project");
  mkdirSync(project);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project, name), text);
  const options = ["--output-format", "json", "--allowedTools", "Bash", "--model", call.model];
  const child = spawn(claudeCodePath ?? "claude", ["-p", prompt, ...options], {
    cwd: project,
    env: {
      NODE_ENV: "test",
      HOME: folder,
      PATH: process.env.PATH ?? "",
      LANG: "C.UTF-8",
      TERM: "dumb",
      TMPDIR: folder,
      ANTHROPIC_BASE_URL: call.gateway,
      ANTHROPIC_AUTH_TOKEN: call.key,
      ANTHROPIC_SMALL_FAST_MODEL: call.model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: WITHIN_MS,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  await new Promise((resolve) => child.once("close", resolve));
  rmSync(folder, { recursive: true, force: true });
  const line = output.split("\n").find((one) => one.startsWith("{"));
  if (line === undefined) throw new Error(`Claude Code said: ${output}`);
  const { result, is_error }: { result?: string; is_error?: boolean } = JSON.parse(line);
  return { answer: result ?? "", isError: is_error === true };
}

function findClaudeCode(): string | null {
  const named = process.env.CLAUDE_CODE_PATH;
  if (named !== undefined) return existsSync(named) ? named : null;
  return spawnSync("claude", ["--version"], { stdio: "ignore" }).status === 0 ? "claude" : null;
}
