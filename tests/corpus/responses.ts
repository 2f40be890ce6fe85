import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "@/lib/kernel/json";
import { shared } from "./corpus";

/** Where recorded traffic of the Responses API lies, beside the project. */
export const responsesRoot = path.join(shared, "corpus-responses", "open");

/** True where the recordings stand beside the project; nothing of them is copied into it. */
export const responsesPresent = existsSync(path.join(responsesRoot, "index.json"));

/** Why suites are skipped. */
export const responsesAbsence = responsesPresent
  ? ""
  : " (skipped: no recorded corpus beside the project, ../shared/corpus-responses)";

/** One recorded call and its answer. */
export interface ResponsesExchange {
  id: string;
  vendor: string;
  request: { method: string; path: string; headers: Record<string, string>; body: JsonObject };
  /** A stream, or a body that is JSON or not. */
  response: { status: number; sse?: string; body?: unknown; text?: string };
}

/** What the official SDK reads from an answer. */
export interface ResponsesMeaning {
  ok: boolean;
  class?: string;
  text: string;
  messages: { phase: string | null; text: string; refusal: string | null }[];
  reasoning_summary: string[];
  reasoning_text: string[];
  encrypted: number;
  refusal: string | null;
  tool_calls: { kind: string; id: string | null; name: string; namespace?: string; args: unknown }[];
  stop: string | null;
  usage: { input: number | null; output: number | null; cache_read: number; reasoning: number | null };
}

function load<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(responsesRoot, file), "utf8"));
}

/** All recorded exchanges. */
export function responsesExchanges(): ResponsesExchange[] {
  return load<{ id: string }[]>("index.json").map(({ id }) => load<ResponsesExchange>(`${id}.json`));
}

/** What the SDK reads of each recording without any gateway, by exchange. */
export function responsesMeanings(): Record<string, ResponsesMeaning> {
  return load("expected.json");
}
