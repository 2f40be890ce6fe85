import type { JsonObject } from "@/lib/kernel/json-object";
import type { OfferedCalls } from "@/lib/kernel/usage";

/** The first version of searches and fetches that filter their results with code. */
const FIRST_VERSION = "20260209";

/** True for a tool with which the vendor bills no code execution of the request. Source: docs/protocols.md#s6-3. */
export function makesCodeFree({ type }: JsonObject): boolean {
  const version = typeof type === "string" ? /^web_(?:search|fetch)_(\d{8})$/.exec(type)?.[1] : undefined;
  return version !== undefined && version >= FIRST_VERSION;
}

/** The same offer, with code execution that is not billed. */
export function withFreeCode(offered: OfferedCalls | undefined): OfferedCalls {
  return { ...(offered ?? { tools: [], maxCalls: 0 }), included: ["codeInterpreter"] };
}
