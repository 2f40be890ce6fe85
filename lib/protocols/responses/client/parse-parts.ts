import { invalid } from "@/lib/kernel/errors";
import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type {
  CacheMark,
  DocumentPart,
  ImagePart,
  NativePart,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from "@/lib/protocols/generation/parts";
import { audioPart, detailOf, inlineDocument, isBase64, parseDataUri } from "@/lib/protocols/passes/media";
import { isGatewayTag } from "@/lib/protocols/passes/reasoning-seal";
import { declaredTools, flatName, objectsOf, typeName } from "@/lib/protocols/responses/tools";

type Content = string | readonly unknown[] | null | undefined;

/**
 * The parts of a user's message or a tool's output. A part of an unknown type is lost on another protocol. `at` is the
 * path of the content. Throws: INVALID_REQUEST naming the part. Source: docs/responses.md#s1-4.
 */
export function contentParts(content: Content, at: string): Part[] {
  return partsOf(content, at, contentPart);
}

/** The parts of a model's message: text and refusals. Source: docs/responses.md#s1-4. */
export function modelParts(content: Content, at: string): Part[] {
  return partsOf(content, at, (part, source) => {
    if (part.type === "refusal") return { kind: "refusal", source, text: String(part.refusal) };
    return isText(part) ? textPart(part, source) : nativePart(part, source);
  });
}

/** The parts of roles with text only. Throws: INVALID_REQUEST naming the part. */
export function instructionParts(content: Content, at: string): Part[] {
  return partsOf(content, at, (part, source) => {
    if (isText(part)) return textPart(part, source);
    throw invalid(
      `${source}.type`,
      `${source}.type must be input_text here: this role holds no ${part.type}.`,
    );
  });
}

/** A part or an item of a kind that the neutral model does not have. */
export function nativePart(value: JsonObject, source: string): NativePart {
  const text = typeof value.text === "string" ? value.text : null;
  return { kind: "native", source, type: typeName(value.type), text };
}

function partsOf(content: Content, at: string, read: (part: JsonObject, source: string) => Part): Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === "string") return [{ kind: "text", source: at, text: content, cache: undefined }];
  return content.flatMap((part, index) => (isObject(part) ? [read(part, `${at}[${index}]`)] : []));
}

function contentPart(part: JsonObject, source: string): Part {
  switch (part.type) {
    case "refusal":
      return { kind: "refusal", source, text: String(part.refusal) };
    case "input_image":
    case "computer_screenshot":
      return imagePart(part, source);
    case "input_file":
      return documentPart(part, source);
    case "input_audio":
      return audioPart(part.input_audio, source);
    default:
      return isText(part) ? textPart(part, source) : nativePart(part, source);
  }
}

const textTypes: ReadonlySet<unknown> = new Set([
  "input_text",
  "output_text",
  "summary_text",
  "reasoning_text",
  "text",
]);

function isText(part: JsonObject): part is JsonObject & { text: string } {
  return textTypes.has(part.type) && typeof part.text === "string";
}

function textPart(part: JsonObject & { text: string }, source: string): TextPart {
  return { kind: "text", source, text: part.text, cache: cacheMark(part) };
}

function cacheMark({ prompt_cache_breakpoint: mark }: JsonObject): CacheMark | undefined {
  return isObject(mark) && mark.mode === "explicit" ? { type: "ephemeral" } : undefined;
}

function imagePart(part: JsonObject, at: string): ImagePart {
  const { image_url: url } = part;
  const own = { kind: "image", detail: detailOf(part.detail), cache: cacheMark(part) } as const;
  const source = `${at}.image_url`;
  if (typeof url !== "string" || url === "") {
    if (!isGiven(part.file_id)) throw invalid(source, `${source} must be an https or data URL.`);
    return { ...own, source: `${at}.file_id`, media: { form: "other" } };
  }
  if (/^https:\/\//i.test(url)) return { ...own, source, media: { form: "url", url } };
  const media = parseDataUri(url);
  if (media === null) throw invalid(source, `${source} must be an https or data URL.`);
  checkData(media.data, source);
  return { ...own, source, media: { form: "data", ...media } };
}

function documentPart(part: JsonObject, at: string): DocumentPart {
  const { file_data: data, file_url: url, filename } = part;
  const title = typeof filename === "string" && filename !== "" ? filename : null;
  const document = { kind: "document", title, context: null, cited: false, cache: cacheMark(part) } as const;
  if (typeof data === "string" && data !== "") {
    const source = `${at}.file_data`;
    const media = inlineDocument(data, title);
    if (media.form === "data") checkData(media.data, source);
    return { ...document, source, media };
  }
  if (typeof url === "string" && url !== "")
    return { ...document, source: `${at}.file_url`, media: { form: "url", url } };
  if (!isGiven(part.file_id)) throw invalid(`${at}.file_data`, `${at}.file_data must be the file as base64.`);
  return { ...document, source: `${at}.file_id`, media: { form: "other" } };
}

function isGiven(id: unknown): boolean {
  return typeof id === "string" && id !== "";
}

/** Throws: INVALID_REQUEST. */
function checkData(data: string, source: string): void {
  if (!isBase64(data)) throw invalid(source, `${source} must hold data in base64.`);
}

// Calls that the client runs, of any item type: nodes of other protocols support functions only.

/**
 * The call in an item; null for other items, and for calls that the client does not run. Source:
 * docs/responses.md#s1-3.
 */
export function callOfItem(item: JsonObject, source: string): ToolCallPart | null {
  switch (item.type) {
    case "function_call":
      return call(item, source, namedBy(item), item.arguments);
    case "custom_tool_call":
      return { ...call(item, source, namedBy(item), item.input), custom: true };
    case "tool_search_call":
      return isClientSearch(item) ? call(item, source, "tool_search", item.arguments) : null;
    case "local_shell_call":
      return call(item, source, "local_shell", shellArguments(item.action));
    case "shell_call":
      return call(item, source, "shell", item.action);
    case "apply_patch_call":
      return call(item, source, "apply_patch", item.operation);
    case "computer_call":
      return call(item, source, "computer", item.action ?? item.actions);
    default:
      return null;
  }
}

/** The result in an item; null for other items. Source: docs/responses.md#s1-3. */
export function resultOfItem(item: JsonObject, source: string): ToolResultPart | null {
  switch (item.type) {
    case "function_call_output":
    case "custom_tool_call_output":
      return result(item, source, outputOf(item.output, source));
    case "tool_search_output":
      return isClientSearch(item) ? result(item, source, foundTools(item, source)) : null;
    case "local_shell_call_output":
    case "shell_call_output":
    case "computer_call_output":
      return result(item, source, outputOf(item.output, source));
    case "apply_patch_call_output":
      return result(item, source, outputOf(item.output ?? item.status, source));
    default:
      return null;
  }
}

function call(item: JsonObject, source: string, name: string, input: unknown): ToolCallPart {
  const inputIsText = typeof input === "string";
  return { kind: "tool_call", source, callId: callIdOf(item) ?? "", name, input, inputIsText, custom: false };
}

function result(item: JsonObject, source: string, content: string | Part[]): ToolResultPart {
  const callId = callIdOf(item);
  return { kind: "tool_result", source, callId, name: null, content, isError: false, cache: undefined };
}

// Older items contain the id of the item instead of the call id.
function callIdOf({ call_id: callId, id }: JsonObject): string | null {
  if (typeof callId === "string") return callId;
  return typeof id === "string" ? id : null;
}

function namedBy({ namespace, name }: JsonObject): string {
  return flatName(namespace, String(name));
}

function isClientSearch({ execution, call_id: callId }: JsonObject): boolean {
  return execution === "client" || (execution == null && typeof callId === "string");
}

function outputOf(output: unknown, source: string): string | Part[] {
  if (typeof output === "string") return output;
  if (output === null || output === undefined) return "";
  const at = `${source}.output`;
  const parts = isObject(output) ? [output] : output;
  const known =
    Array.isArray(parts) && parts.every((part) => isObject(part) && typeof part.type === "string");
  return known ? contentParts(parts, at) : printJson(output);
}

/** The names of the tools that a search found; the tools themselves are among the request's tools. */
function foundTools(item: JsonObject, source: string): string | Part[] {
  const { own } = declaredTools({ tools: item.tools });
  if (own.length === 0) return "no tools found";
  return own.map(({ flatName: name }) => ({ kind: "tool_reference", source, name }));
}

function shellArguments(action: unknown): JsonObject {
  if (!isObject(action)) return {};
  const { command, working_directory: workdir, timeout_ms } = action;
  const wanted = { command, workdir, timeout_ms };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value != null));
}

/** The format of reasoning that only its vendor can read. */
const sealedForm = "openai-responses-v1";

/** Reasoning that the client replays; null fields count as absent. Source: docs/responses.md#s1-3. */
export function reasoningPart(item: JsonObject, source: string): ReasoningPart {
  const { encrypted_content: sealed } = item;
  const text = textOf(item.content) ?? textOf(item.summary);
  const own = { kind: "reasoning", source, text, signature: null } as const;
  if (typeof sealed !== "string" || sealed === "") return { ...own, sealed: null, format: sealedForm };
  return { ...own, sealed, format: isGatewayTag(sealed) ? null : sealedForm };
}

function textOf(parts: unknown): string | null {
  const texts = objectsOf(parts).flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return texts.length === 0 ? null : texts.join("\n\n");
}

/**
 * A step of a tool that the provider ran in an earlier turn: its outcome as text, or a part that is left out if it has
 * none. Null for an item of an unknown type. Source: docs/responses.md#s1-3.
 */
export function hostedStep(item: JsonObject, type: string, source: string): Part | null {
  if (!hostedTypes.has(type)) return null;
  const text = stepText(item, type);
  return text === null ? nativePart({ type }, source) : { kind: "server_step", source, type, text };
}

const hostedTypes: ReadonlySet<string> = new Set([
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "mcp_list_tools",
  "mcp_call",
  "mcp_approval_request",
  "mcp_approval_response",
  "program",
  "program_output",
  "tool_search_call",
  "tool_search_output",
  "compaction_trigger",
]);

function stepText(item: JsonObject, type: string): string | null {
  if (type === "code_interpreter_call" && typeof item.code === "string")
    return `[Code was run]\n${item.code}`;
  if (type === "mcp_call" && typeof item.output === "string")
    return `[${String(item.name)} was called with ${String(item.arguments)}]\n${item.output}`;
  return null;
}
