import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { count } from "@/lib/protocols/generation/counts";
import type { GenerationEvent } from "@/lib/protocols/generation/events";

/** The built-in search whose calls are tool calls, which the client sends back. */
const BUILTIN_SEARCH = "$web_search";

/** The node's own count of its searches; undefined: none reported. Source: docs/responses.md#s3-6. */
export function searchesOfUsage(usage: JsonObject): number | undefined {
  const inside = (value: unknown): JsonObject => (isObject(value) ? value : {});
  const search = inside(inside(usage.plugins).search);
  const used = { ...inside(usage.server_tool_use_details), ...inside(usage.server_tool_use) };
  const told = [used.web_search_requests, usage.num_search_queries, usage.num_sources_used, search.count];
  const counts = told.flatMap((value) => count(value) ?? []);
  return counts.length === 0 ? undefined : Math.max(...counts);
}

/**
 * Counts the searches of one answer. A node that reports sources but no count has searched once. Source:
 * docs/responses.md#s3-6.
 */
export class Searches {
  #told = false;
  #seen = false;
  #calls = 0;

  /** Reads a chunk, with its usage. */
  read(chunk: JsonObject, events: GenerationEvent[]): void {
    if (!this.#seen) this.#seen = showsSources(chunk);
    if (!isObject(chunk.usage)) return;
    const total = searchesOfUsage(chunk.usage);
    if (total === undefined || (total === 0 && !this.#told && this.#calls === 0)) {
      this.#told ||= total !== undefined;
      return;
    }
    this.#told = true;
    events.push({ type: "hosted_call", tool: "webSearch", total });
  }

  /** Reads the name of a tool call that begins. */
  called(name: string, events: GenerationEvent[]): void {
    if (name !== BUILTIN_SEARCH) return;
    this.#calls += 1;
    events.push({ type: "hosted_call", tool: "webSearch" });
  }

  /** Handles the end of the answer. */
  end(events: GenerationEvent[]): void {
    if (this.#seen && !this.#told && this.#calls === 0)
      events.push({ type: "hosted_call", tool: "webSearch" });
  }
}

/** The lists beside the choices in which nodes report the pages they found. */
const lists = ["citations", "search_results", "web_search"];

function showsSources(chunk: JsonObject): boolean {
  if (lists.some((name) => isFilled(chunk[name]))) return true;
  const { choices } = chunk;
  if (!Array.isArray(choices)) return false;
  return choices.some((choice) => {
    const message = isObject(choice) ? (choice.delta ?? choice.message) : undefined;
    return isObject(message) && (isCited(message.annotations) || hasSearched(message.executed_tools));
  });
}

/** Annotations also include files that were read. */
function isCited(annotations: unknown): boolean {
  return (
    Array.isArray(annotations) && annotations.some((one) => isObject(one) && one.type === "url_citation")
  );
}

/** Executed tools also include code that was run. */
function hasSearched(tools: unknown): boolean {
  return Array.isArray(tools) && tools.some((tool) => isObject(tool) && isSearch(tool.type));
}

function isSearch(type: unknown): boolean {
  return typeof type === "string" && /^(?:web[_.]?)?search|^browser/.test(type);
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
