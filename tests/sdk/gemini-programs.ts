import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

const WITHIN_MS = 90_000;

/** The folder in which Google's packages are installed: `GEMINI_CLIENTS`. */
const folder = process.env.GEMINI_CLIENTS ?? "";
const cli = path.join(folder, "node_modules/@google/gemini-cli/bundle/gemini.js");
const sdk = path.join(folder, "node_modules/@google/genai/dist/node/index.mjs");

/** Google's packages need a newer Node than the tests do: `GEMINI_NODE`, or this one. */
const node = process.env.GEMINI_NODE ?? process.execPath;
const isNewEnough = (least: number) =>
  Number(/^v(\d+)/.exec(spawnSync(node, ["--version"]).stdout?.toString() ?? "")?.[1]) >= least;

/** Python with google-genai: `GEMINI_PYTHON`. */
const python = process.env.GEMINI_PYTHON ?? "";

/** Why suites are skipped; empty where they run. */
export const absence = {
  cli:
    folder !== "" && existsSync(cli)
      ? ""
      : " (skipped: set GEMINI_CLIENTS to a folder with @google/gemini-cli)",
  node:
    folder !== "" && existsSync(sdk) && isNewEnough(22)
      ? ""
      : " (skipped: set GEMINI_CLIENTS to a folder with @google/genai, and GEMINI_NODE to Node 22 or newer)",
  python:
    python !== "" && spawnSync(python, ["-c", "import google.genai"]).status === 0
      ? ""
      : " (skipped: set GEMINI_PYTHON to a Python with google-genai)",
};

/** What a run of a program left behind. */
export interface ProgramRun {
  code: number | null;
  output: string;
  errors: string;
}

/** A counting proxy before a gateway; it breaks off where the gateway breaks off. */
export class Counter {
  /** The paths of the generations that were asked for. */
  readonly calls: string[] = [];
  readonly #server: Server;

  constructor(gateway: string) {
    this.#server = createServer((received, answer) => {
      const path = received.url ?? "/";
      if (/:(?:stream)?generatecontent/i.test(path)) this.calls.push(path);
      const passed = httpRequest(
        gateway + path,
        { method: received.method, headers: received.headers },
        (answered) => {
          answer.writeHead(answered.statusCode ?? 502, answered.headers);
          answer.flushHeaders();
          answered.on("data", (piece) => answer.write(piece));
          answered.on("end", () => answer.end());
          answered.on("error", () => answer.destroy());
        },
      );
      passed.on("error", () => answer.destroy());
      received.pipe(passed);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** One run of Gemini CLI in an empty project, without questions. */
export async function runCli(url: string, key: string, model: string, prompt: string): Promise<ProgramRun> {
  const work = mkdtempSync(path.join(tmpdir(), "tollgate-gemini-"));
  const home = path.join(work, "home");
  const project = path.join(work, "project");
  mkdirSync(path.join(home, ".gemini"), { recursive: true });
  mkdirSync(project);
  writeFileSync(path.join(project, "a.txt"), "alpha\n");
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { disableAutoUpdate: true, enableAutoUpdate: false },
  };
  writeFileSync(path.join(home, ".gemini", "settings.json"), JSON.stringify(settings));
  const args = [cli, "-m", model, "--yolo", "--output-format", "json", "-p", prompt];
  const child = spawn(node, args, {
    cwd: project,
    env: {
      NODE_ENV: "test",
      PATH: process.env.PATH ?? "",
      HOME: home,
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_CLI_NO_RELAUNCH: "1",
      NO_COLOR: "1",
      NO_BROWSER: "1",
      TERM: "dumb",
      CI: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: WITHIN_MS,
  });
  const run = await ended(child);
  rmSync(work, { recursive: true, force: true });
  return run;
}

/** Runs a module that has `client` of `@google/genai`; what it prints is the output. */
export function runNode(url: string, key: string, code: string): Promise<ProgramRun> {
  const program = `
import { GoogleGenAI } from ${JSON.stringify(`file://${sdk}`)};
const client = new GoogleGenAI({ apiKey: ${JSON.stringify(key)}, httpOptions: { baseUrl: ${JSON.stringify(url)} } });
try { ${code} } catch (error) { console.log(JSON.stringify({ failed: error.name, status: error.status ?? null, message: String(error.message).slice(0, 300) })); }`;
  const child = spawn(node, ["--input-type=module", "-e", program], {
    env: { NODE_ENV: "test", PATH: process.env.PATH ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: WITHIN_MS,
  });
  return ended(child);
}

/** The same in Python. */
export function runPython(url: string, key: string, code: string): Promise<ProgramRun> {
  const lines = code.split("\n").map((line) => `    ${line}`);
  const program = `import json
from google import genai
from google.genai import types
client = genai.Client(api_key=${JSON.stringify(key)}, http_options={"base_url": ${JSON.stringify(url)}})
try:
${lines.join("\n")}
except Exception as error:
    print(json.dumps({"failed": type(error).__name__, "status": getattr(error, "code", None)}))`;
  const child = spawn(python, ["-c", program], {
    env: { NODE_ENV: "test", PATH: process.env.PATH ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: WITHIN_MS,
  });
  return ended(child);
}

async function ended(child: ChildProcess): Promise<ProgramRun> {
  let output = "";
  let errors = "";
  child.stdout?.on("data", (piece) => {
    output += piece;
  });
  child.stderr?.on("data", (piece) => {
    errors += piece;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output, errors };
}
