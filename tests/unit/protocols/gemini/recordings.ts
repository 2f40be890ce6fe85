import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@/lib/kernel/json-object";

const folder = fileURLToPath(new URL("../../../../../shared/corpus-gemini/open", import.meta.url));

/** The recorded exchanges are beside the project. */
export const present = existsSync(folder);
export const whyMissing = present ? "" : " (skipped: ../shared/corpus-gemini is not there)";

/** One recorded exchange. */
export interface GeminiRecording {
  id: string;
  request: { path: string; body: JsonObject; synthesized?: boolean };
  response: { status: number; body?: unknown; text?: string; sse?: string };
  tags: string[];
}

/** What a reader of the answer must find. */
export interface ExpectedAnswer {
  class: string;
  text: string;
  reasoning: string;
  tool_calls: { name: string; args: unknown }[];
  signatures: Record<string, number>;
  stop: string;
  native_stop: string | null;
  choices: number;
  usage: { input: number; output: number; cache_read: number; reasoning: number } | null;
}

function read<Value>(name: string): Value {
  return JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
}

/** The recorded Gemini exchanges, with what each means. */
export function geminiRecordings(): [GeminiRecording, ExpectedAnswer][] {
  if (!present) return [];
  const expected = read<Record<string, ExpectedAnswer>>("expected.json");
  const names = readdirSync(folder).filter((name) => name.startsWith("ge-"));
  return names.map((name) => {
    const recording = read<GeminiRecording>(name);
    const meaning = expected[recording.id];
    if (meaning === undefined) throw new Error(`no meaning of ${recording.id}`);
    return [recording, meaning];
  });
}
