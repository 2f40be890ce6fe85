import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/**
 * A step of a server tool in an earlier turn, as text that a chat model can read; opaque payloads are left out.
 * Shape: null for other blocks. Source: docs/protocols.md#s5-3.
 */
export function serverStepText(block: JsonObject): string | null {
  switch (block.type) {
    case "server_tool_use":
    case "mcp_tool_use":
      return `[${String(block.name)} was called with ${printJson(block.input ?? {})}]`;
    case "web_search_tool_result":
      return searchText(block.content);
    case "web_fetch_tool_result":
      return `Fetched page:\n${deepText(block.content)}`;
    case "tool_search_tool_result":
      return `Tools found: ${toolNames(block.content).join(", ")}`;
    case "code_execution_tool_result":
    case "bash_code_execution_tool_result":
    case "text_editor_code_execution_tool_result":
      return `Code execution result:\n${executionText(block.content)}`;
    case "mcp_tool_result":
    case "advisor_tool_result":
      return `Tool result:\n${deepText(block.content)}`;
    default:
      return null;
  }
}

/** A search result as text: title, source, joined content. Source: docs/protocols.md#s5-3. */
export function searchResultText(block: JsonObject): string {
  const content = Array.isArray(block.content) ? block.content.filter(isObject) : [];
  const texts = content.flatMap((inner) => (typeof inner.text === "string" ? [inner.text] : []));
  const head = [block.title, block.source].filter((line) => typeof line === "string" && line !== "");
  return [...head, texts.join("\n")].join("\n");
}

function searchText(content: unknown): string {
  if (!Array.isArray(content)) return "Web search failed.";
  const lines = content
    .filter(isObject)
    .map((result) => `${String(result.title ?? "")} ${String(result.url ?? "")}`.trim());
  return ["Web search results:", ...lines].join("\n");
}

function toolNames(content: unknown): string[] {
  const references =
    isObject(content) && Array.isArray(content.tool_references) ? content.tool_references : [];
  return references.filter(isObject).map((reference) => String(reference.tool_name ?? reference.name));
}

function executionText(content: unknown): string {
  if (!isObject(content)) return "";
  const lines = [content.stdout, content.stderr, content.content].filter(
    (line) => typeof line === "string" && line !== "",
  );
  return typeof content.error_code === "string" ? `error: ${content.error_code}` : lines.join("\n");
}

// Only texts, at any depth; another model cannot use encrypted content and ids.
function deepText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(deepText).filter(Boolean).join("\n");
  if (!isObject(value)) return "";
  const own = [value.title, value.url, value.text, value.error_code].filter(
    (line) => typeof line === "string",
  );
  const data = isObject(value.source) && value.source.type === "text" ? value.source.data : null;
  return [...own, deepText(data), deepText(value.content)].filter(Boolean).join("\n");
}
