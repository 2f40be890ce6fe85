import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { portableId } from "@/lib/protocols/passes/rendering";
import { serverStepText } from "./server-step-text";

type Search = Extract<GenerationEvent, { type: "search" }>;
type Citation = Extract<GenerationEvent, { type: "citation" }>;

/** What the ids of searches begin with that a node of another protocol has made. */
const MADE_ID = "srvtoolu_gw";
/** Stands where the vendor seals what it has found. */
const MADE = "gateway";

/** The two blocks of a search that a node of another protocol has made. Source: docs/protocols.md#s9-3. */
export interface SearchBlocks {
  /** As its first frame shows it; `input` follows. */
  call: JsonObject;
  input: JsonObject;
  result: JsonObject;
}

/** `name`: unique among all searches. */
export function searchBlocks({ query, sources }: Search, name: string): SearchBlocks {
  const id = portableId(`${name}:`, MADE_ID);
  const content = sources.map(({ url, title }) => ({
    type: "web_search_result",
    url,
    title,
    encrypted_content: MADE,
    page_age: null,
  }));
  return {
    call: { type: "server_tool_use", id, name: "web_search", input: {} },
    input: { query },
    result: { type: "web_search_tool_result", tool_use_id: id, content },
  };
}

/** Where a text comes from; nodes of other protocols do not tell the words of the source. */
export function citationOf({ url, title }: Citation): JsonObject {
  return { type: "web_search_result_location", url, title, cited_text: "", encrypted_index: MADE };
}

/**
 * The block as a messages node takes it, which opens only what it has sealed itself: a made search becomes text, a made
 * citation goes. The very same block where nothing is made. Source: docs/protocols.md#s6-2.
 */
export function withoutMade<Block extends JsonObject>(block: Block): Block | { type: "text"; text: string } {
  if (isMade(block.type === "server_tool_use" ? block.id : block.tool_use_id))
    return { type: "text", text: serverStepText(block) ?? "" };
  const { citations, ...bare } = block;
  if (!Array.isArray(citations) || !citations.some(isMadeCitation)) return block;
  const kept = citations.filter((citation) => !isMadeCitation(citation));
  return (kept.length === 0 ? bare : { ...bare, citations: kept }) as Block; // `citations` is no member that a block needs
}

function isMade(id: unknown): boolean {
  return typeof id === "string" && id.startsWith(MADE_ID);
}

function isMadeCitation(citation: unknown): boolean {
  return isObject(citation) && citation.encrypted_index === MADE;
}
