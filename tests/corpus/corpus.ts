import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Protocol } from "@/lib/protocols/protocol";

/** The protocols of this corpus. */
export type RecordedProtocol = Extract<Protocol, "chat" | "messages">;

/** Where recorded traffic lies, beside the project. */
export const shared = path.resolve(import.meta.dirname, "../../../shared");
const root = path.join(shared, "corpus");

/** True where the recorded corpus stands beside the project; nothing of it is copied into it. */
export const present = existsSync(path.join(root, "open", "index.json"));

/** Why suites are skipped. */
export const absence = present ? "" : " (skipped: no recorded corpus beside the project, ../shared/corpus)";

/** One recorded call and its answer. */
export interface Exchange {
  id: string;
  protocol: RecordedProtocol;
  request: { headers: Record<string, string>; body: JsonObject; synthesized?: boolean };
  /** A stream, or a body that is JSON or not. */
  response: { status: number; sse?: string; body?: unknown; text?: string };
}

/** A call of a real program; only its request is known. */
export interface RecordedCall {
  name: string;
  protocol: RecordedProtocol;
  headers: Record<string, string>;
  body: JsonObject;
}

/** What an SDK reads from an answer. */
export interface Meaning {
  ok: boolean;
  class?: string;
  text?: string;
  reasoning?: string;
  tool_calls?: { name: string; args: unknown }[];
  stop?: string | null;
  usage?: { input: number | null; output?: number | null };
  error?: { status: number | null; message: string };
}

/** The corpus's own reader of SDK answers. */
export interface Oracle {
  fromAnthropic(message: unknown): Meaning;
  fromOpenAI(completion: unknown): Meaning;
  fromResponses(response: unknown): Meaning;
  fromError(error: unknown): Meaning;
  diffMeaning(
    expected: Meaning | undefined,
    got: Meaning,
    options: { cross: boolean; usage: boolean; reasoning: boolean },
  ): string[];
}

/** The upstream that replays recordings, chosen by the upstream model `replay:<id>`. */
export interface Replay {
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

function load<T>(...parts: string[]): T {
  return JSON.parse(readFileSync(path.join(root, ...parts), "utf8"));
}

function tool<T>(name: string): Promise<T> {
  return import(/* @vite-ignore */ pathToFileURL(path.join(shared, "tools", name)).href);
}

/** All recorded exchanges. */
export function exchanges(): Exchange[] {
  return load<{ id: string }[]>("open", "index.json").map(({ id }) => {
    const { provider, ...rest } = load<Omit<Exchange, "protocol"> & { provider: string }>(
      "open",
      `${id}.json`,
    );
    return { ...rest, protocol: provider === "openai-chat" ? "chat" : "messages" };
  });
}

/** What each SDK reads of its own protocol's recordings without any gateway, by exchange. */
export function expectedMeanings(): Record<string, Meaning> {
  return load("open", "expected.json");
}

/** The generations that real programs asked for. */
export function recordedCalls(): RecordedCall[] {
  return readdirSync(path.join(root, "clients")).flatMap((file) => {
    const { requests } = load<{
      requests: { method: string; url: string; headers: Record<string, string>; body: JsonObject }[];
    }>("clients", file);
    return requests
      .filter(({ method, url }) => method === "POST" && /\/(messages|chat\/completions)(\?|$)/.test(url))
      .map(({ url, headers, body }, index) => ({
        name: `${file}#${index}`,
        protocol: url.includes("/messages") ? "messages" : "chat",
        headers,
        body,
      }));
  });
}

/** The reader of SDK answers. */
export function loadOracle(): Promise<Oracle> {
  return tool("normalise.mjs");
}

/** The replaying upstream, not listening yet. `more`: folders of further recordings. */
export async function createReplay(more: readonly string[] = []): Promise<Replay> {
  const { createReplay: create } = await tool<{ createReplay(options: { dirs: string[] }): Replay }>(
    path.join("gemini", "replay-upstream.mjs"), // it serves the recordings of all protocols
  );
  return create({ dirs: [path.join(root, "open"), ...more] });
}

/** Does the work for every item, so many at a time. */
export async function forEachOf<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
