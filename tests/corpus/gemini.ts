import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "@/lib/kernel/json-object";
import { type Meaning, shared } from "./corpus";

/** Where recorded traffic of Gemini lies, beside the project. */
export const geminiRoot = path.join(shared, "corpus-gemini", "open");

/** True where the recordings stand beside the project; nothing of them is copied into it. */
export const geminiPresent = existsSync(path.join(geminiRoot, "index.json"));

/** Why suites are skipped. */
export const geminiAbsence = geminiPresent
  ? ""
  : " (skipped: no recorded corpus beside the project, ../shared/corpus-gemini)";

/** One recorded call and its answer. */
export interface GeminiExchange {
  id: string;
  request: {
    path: string;
    headers: Record<string, string>;
    body: JsonObject;
    synthesized?: boolean;
  };
  /** A stream, a body, or a stream as the text of a list. */
  response: { status: number; sse?: string; body?: unknown; text?: string };
}

/** What the official SDK reads from an answer. */
export interface GeminiMeaning extends Meaning {
  class: string;
  text: string;
  reasoning: string;
  tool_calls: { name: string; args: unknown }[];
  stop: string;
  choices: number;
  usage: { input: number | null; output: number | null; cache_read: number; reasoning: number | null };
}

/** The corpus's own reader of answers. */
export interface GeminiOracle {
  geminiChunks(response: { sse: string } | { text: string }): {
    chunks: JsonObject[];
    streamError: { message: string } | null;
  };
  fromGemini(chunks: readonly JsonObject[]): Meaning;
}

/** The reader of answers. */
export function loadGeminiOracle(): Promise<GeminiOracle> {
  const file = path.join(shared, "tools", "gemini", "normalise-gb.mjs");
  return import(/* @vite-ignore */ pathToFileURL(file).href);
}

function load<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(geminiRoot, file), "utf8"));
}

/** The recorded calls of Gemini and their answers. */
export function geminiExchanges(): GeminiExchange[] {
  return readdirSync(geminiRoot)
    .filter((file) => file.startsWith("ge-"))
    .map((file) => load<GeminiExchange>(file));
}

/** What the SDK reads of each recording without any gateway, by exchange. */
export function geminiMeanings(): Record<string, GeminiMeaning> {
  return load("expected.json");
}

/** The generations that were answered as meant, each with its meaning. */
export function geminiAnswers(): [GeminiExchange, GeminiMeaning][] {
  if (!geminiPresent) return [];
  const meanings = geminiMeanings();
  return geminiExchanges().flatMap((exchange): [GeminiExchange, GeminiMeaning][] => {
    const meaning = meanings[exchange.id];
    return meaning?.class === "ok" ? [[exchange, meaning]] : [];
  });
}
