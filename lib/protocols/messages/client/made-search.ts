import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { portableId } from "@/lib/protocols/passes/rendering";
import { serverStepText } from "./server-step-text";

type Search = Extract<GenerationEvent, { type: "search" }>;
type Citation = Extract<GenerationEvent, { type: "citation" }>;

/** The prefix of the ids of searches by nodes of other protocols. */
const MADE_ID = "srvtoolu_gw";
/** Replaces the vendor's sealed results. */
const MADE = "gateway";

/** The two blocks of a search by a node of another protocol. Source: docs/protocols.md#s9-3. */
export interface SearchBlocks {
  /** The block in the form of its first frame; `input` follows. */
  call: JsonObject;
  input: JsonObject;
  result: JsonObject;
}

/** Makes the blocks of a search. `name`: unique among all searches. */
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

/** The source of a text; nodes of other protocols do not report its words. */
export function citationOf({ url, title }: Citation): JsonObject {
  return { type: "web_search_result_location", url, title, cited_text: "", encrypted_index: MADE };
}

/**
 * The block for a messages node, which opens only its own sealed data: a search that the gateway made becomes text, and
 * a citation that the gateway made is removed. Returns the same block when nothing changes. Source:
 * docs/protocols.md#s6-2.
 */
export function withoutMade<Block extends JsonObject>(block: Block): Block | { type: "text"; text: string } {
  if (isMade(block.type === "server_tool_use" ? block.id : block.tool_use_id))
    return { type: "text", text: serverStepText(block) ?? "" };
  const { citations, ...bare } = block;
  if (!Array.isArray(citations) || !citations.some(isMadeCitation)) return block;
  const kept = citations.filter((citation) => !isMadeCitation(citation));
  return (kept.length === 0 ? bare : { ...bare, citations: kept }) as Block; // no block requires `citations`
}

function isMade(id: unknown): boolean {
  return typeof id === "string" && id.startsWith(MADE_ID);
}

function isMadeCitation(citation: unknown): boolean {
  return isObject(citation) && citation.encrypted_index === MADE;
}
