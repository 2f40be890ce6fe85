import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Protocol } from "@/lib/protocols/protocol";
import { shared } from "../corpus/corpus";
import { createScriptedGemini } from "./scripted-gemini";

/** One step of a model: a text, a call of a tool, or several. */
export interface Step extends JsonObject {
  thinking?: string;
  text?: string;
  tool?: string;
  input?: unknown;
  tools?: Step[];
}

/** A model that carries out a plan, and what it was asked. */
export interface Scripted {
  requests: { method: string; url: string; body: JsonObject }[];
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

const SCRIPT = path.join(shared, "tools", "scripted-upstream.mjs");

/** Why suites are skipped; empty where the models stand beside the project. */
export const scriptAbsence = existsSync(SCRIPT) ? "" : " (skipped: no ../shared/tools beside the project)";

/** A model of a protocol, not listening yet. */
export async function createScripted(protocol: Protocol, plan: readonly Step[]): Promise<Scripted> {
  if (protocol === "gemini") return createScriptedGemini({ plan });
  const script: { createScripted(options: { plan: readonly Step[] }): Scripted } = await import(
    /* @vite-ignore */ pathToFileURL(SCRIPT).href
  );
  return script.createScripted({ plan });
}
