import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
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

/** One request of a real program. */
export interface SentRequest {
  method: string;
  headers: Record<string, string>;
  /** Null for a handshake. */
  body: JsonObject | null;
}

/** What a real program sent in one go, in order. */
export interface RecordedSession {
  name: string;
  /** What wrote it: `codex` or `sdk`. */
  program: string;
  requests: SentRequest[];
}

/** What Codex and the SDKs really sent. */
export function recordedSessions(): RecordedSession[] {
  const root = path.join(responsesRoot, "../clients");
  return ["codex", "sdk"].flatMap((program) => {
    const folder = path.join(root, `${program}-responses`);
    return readdirSync(folder).map((file) => {
      const content: JsonObject = JSON.parse(readFileSync(path.join(folder, file), "utf8"));
      const requests = Array.isArray(content.requests) ? content.requests.filter(isObject) : [];
      return { name: file, program, requests: requests as unknown as SentRequest[] }; // the shape of these files
    });
  });
}

/** The corpus's own checker of one stream's events; its profile `gateway` is the strict one. */
export type CheckStream = (
  wire: string,
  options: { profile: "gateway" | "vendor"; done: "require" | "allow" },
) => { errors: { rule: string; msg: string }[] };

/** Loads the checker of streams. */
export async function loadCheckStream(): Promise<CheckStream> {
  const file = path.join(shared, "tools", "responses-order.mjs");
  const { checkStream }: { checkStream: CheckStream } = await import(
    /* @vite-ignore */ pathToFileURL(file).href
  );
  return checkStream;
}
