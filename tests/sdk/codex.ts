import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const WITHIN_MS = 60_000;

/** The Codex command of this machine: `CODEX_PATH`, or the one of the search path; null without one. */
export const codexPath = findCodex();

/** Why suites are skipped. */
export const codexAbsence =
  codexPath === null ? " (skipped: no Codex; install @openai/codex elsewhere and set CODEX_PATH)" : "";

/** One line of Codex's JSON output, as far as the tests read it. */
export interface CodexEvent {
  type: string;
  message?: string;
  error?: { message: string };
  item?: { type: string; text?: string; message?: string; status?: string; aggregated_output?: string };
}

/** What a run of Codex left behind. */
export interface CodexRun {
  events: CodexEvent[];
  /** Text of its last message. */
  answer: string;
  /** What it told of failures, in order. */
  errors: string[];
  /** The files of its folder. */
  files: Record<string, string>;
}

/** A home and a project folder for runs of Codex that call one gateway. */
export class Codex {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "tollgate-codex-"));
  readonly #project = path.join(this.#folder, "project");
  readonly #environment: NodeJS.ProcessEnv & { CODEX_HOME: string };

  /** `settings`: further lines of its provider's table. */
  constructor(gateway: string, key: string, model: string, settings: readonly string[] = []) {
    const home = path.join(this.#folder, "home");
    mkdirSync(home);
    mkdirSync(this.#project);
    this.#environment = {
      NODE_ENV: "test",
      HOME: home,
      CODEX_HOME: home,
      PATH: process.env.PATH ?? "",
      LANG: "C.UTF-8",
      TERM: "dumb",
      TMPDIR: this.#folder,
      TOLLGATE_KEY: key,
    };
    this.write("../home/config.toml", [
      `model = "${model}"`,
      'model_provider = "tollgate"',
      "[model_providers.tollgate]",
      'name = "Tollgate"',
      `base_url = "${gateway}/v1"`,
      'env_key = "TOLLGATE_KEY"',
      'wire_api = "responses"',
      ...settings,
    ]);
    this.write("../toy.mjs", [TOY_SERVER]);
  }

  /** Gives it a toy server of the Model Context Protocol with the tool `echo_word`. */
  addToyServer(): void {
    const file = path.join(this.#environment.CODEX_HOME, "config.toml");
    const lines = [
      "[mcp_servers.toy]",
      `command = "${process.execPath}"`,
      `args = ["${this.#folder}/toy.mjs"]`,
    ];
    writeFileSync(file, [readFileSync(file, "utf8"), ...lines, ""].join("\n"));
  }

  /** Writes a file of its project. */
  write(name: string, lines: readonly string[]): void {
    writeFileSync(path.join(this.#project, name), `${lines.join("\n")}\n`);
  }

  /** Runs one turn; `resume` goes on with the last conversation. */
  async run(prompt: string, resume = false): Promise<CodexRun> {
    const options = ["--skip-git-repo-check", "--sandbox", "danger-full-access", "--json"];
    const args = ["exec", ...options, ...(resume ? ["resume", "--last"] : []), prompt];
    const child = spawn(codexPath ?? "codex", args, {
      cwd: this.#project,
      env: this.#environment,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: WITHIN_MS,
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    await new Promise((resolve) => child.once("close", resolve));
    const events = output
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line): CodexEvent => JSON.parse(line));
    return {
      events,
      answer: events.findLast(({ item }) => item?.type === "agent_message")?.item?.text ?? "",
      errors: events.flatMap(({ type, message, error }) =>
        type === "error" || type === "turn.failed" ? [message ?? error?.message ?? ""] : [],
      ),
      files: Object.fromEntries(
        readdirSync(this.#project).map((name) => [
          name,
          readFileSync(path.join(this.#project, name), "utf8"),
        ]),
      ),
    };
  }

  /** Removes its folders. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function findCodex(): string | null {
  const named = process.env.CODEX_PATH;
  if (named !== undefined) return existsSync(named) ? named : null;
  return spawnSync("codex", ["--version"], { stdio: "ignore" }).status === 0 ? "codex" : null;
}

/** Answers each request of the protocol on one line. */
const TOY_SERVER = `
import { createInterface } from "node:readline";
const tools = [{
  name: "echo_word", description: "Echoes a word.", annotations: { readOnlyHint: true },
  inputSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
}];
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "toy", version: "1" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": (params) => ({ content: [{ type: "text", text: "echo:" + params.arguments.word }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params) ?? {};
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
});
`;
