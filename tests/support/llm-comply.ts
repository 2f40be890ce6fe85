import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const VERSION = "0.5.0";
const HOME = path.resolve("node_modules", ".cache", `llm-comply-${VERSION}`);
const PROGRAM = path.join(HOME, "bin", "llm-comply");

/** An index that does not answer is as good as none. */
const MOST_MS = 120_000;

/** One check of the suite, and what it found. */
export interface Check {
  id: string;
  status: "passed" | "failed" | "skipped";
  errors?: string[];
}

/** The judge of a format; or why there is none on this machine. */
export type Judge = { judge(format: Format, place: Place): Promise<Check[]> } | { unavailable: string };

/** What the suite calls our protocols. */
export type Format = "openai-chat" | "anthropic" | "open-responses" | "google-genai";

/** The header of the key in formats without a bearer token. */
const keyHeaders: Partial<Record<Format, string>> = {
  anthropic: "x-api-key",
  "google-genai": "x-goog-api-key",
};

/** Whom the suite asks. */
export interface Place {
  url: string;
  key: string;
  model: string;
}

/** llm-comply of PyPI in a virtual environment of its own; it needs Python with `venv`, and a package index at first. */
export async function llmComply(): Promise<Judge> {
  try {
    if (!existsSync(PROGRAM)) await install();
  } catch (error) {
    return { unavailable: `llm-comply cannot be installed: ${String(error).split("\n")[0]}` };
  }
  return { judge };
}

async function install(): Promise<void> {
  await run("python3", ["-m", "venv", HOME], { timeout: MOST_MS });
  const pip = path.join(HOME, "bin", "pip");
  await run(pip, ["install", "--quiet", `llm-comply==${VERSION}`], { timeout: MOST_MS });
}

async function judge(format: Format, { url, key, model }: Place): Promise<Check[]> {
  const header = keyHeaders[format];
  const credential = header === undefined ? [] : ["--auth-header", header, "--no-bearer"];
  const root = format === "google-genai" ? url : `${url}/v1`;
  const place = ["--base-url", root, "--api-key", key, "--model", model];
  const asked = run(PROGRAM, ["run", ...place, "--format", format, "--json", ...credential], {
    timeout: MOST_MS,
  });
  // A check that fails is its exit code 1; the report is printed all the same.
  const { stdout } = await asked.catch((error: { stdout: string }) => error);
  return JSON.parse(stdout).results;
}
