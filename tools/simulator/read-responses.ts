import { isObject, type JsonObject } from "../../lib/kernel/json-object";
import { type Attachment, type Conversation, Refusal, type Turn } from "./conversation";
import { base64Bytes, objectOf, objectsOf, textOf } from "./json";

/** A Responses request as a conversation. Throws: Refusal, as a real provider would. */
export function readResponses(body: JsonObject): Conversation {
  const items = itemsOf(body.input);
  if (items.length === 0) throw new Refusal(400, "Missing required parameter: 'input'.", "input");
  const told = items.filter(isInstruction).map((item) => contentText(item.content));
  const instructions = textOf(body.instructions);
  return {
    protocol: "responses",
    model: textOf(body.model),
    system: (instructions === "" ? told : [instructions, ...told]).join("\n"),
    turns: readTurns(items.filter((item) => !isInstruction(item))),
    tools: objectsOf(body.tools)
      .filter((tool) => tool.type === "function")
      .map((tool) => ({ name: textOf(tool.name), schema: objectOf(tool.parameters) })),
    hostedTools: objectsOf(body.tools)
      .map((tool) => textOf(tool.type))
      .filter((type) => /^(?:web_search|file_search|code_interpreter|image_generation)/.test(type)),
    toolChoice: readToolChoice(body.tool_choice),
    parallelAllowed: body.parallel_tool_calls !== false,
    stream: body.stream === true,
    includeUsage: true,
    maxTokens: Number(body.max_output_tokens ?? 4096),
    choices: 1,
    stopSequences: [],
    reasoning: !["", "none"].includes(textOf(objectOf(body.reasoning).effort)),
    outputSchema: readOutputSchema(objectOf(objectOf(body.text).format)),
  };
}

function itemsOf(input: unknown): JsonObject[] {
  return typeof input === "string" ? [{ role: "user", content: input }] : objectsOf(input);
}

function isInstruction(item: JsonObject): boolean {
  return item.role === "system" || item.role === "developer";
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .map((part) => textOf(part.text))
    .join("");
}

function readTurns(items: JsonObject[]): Turn[] {
  const calls = new Map<string, string>();
  return items.flatMap((item): Turn[] => {
    switch (item.type ?? "message") {
      case "message":
        return [messageTurn(item)];
      case "function_call":
        calls.set(textOf(item.call_id), textOf(item.name));
        return [];
      case "function_call_output":
        return [resultTurn(item, calls)];
      default:
        return [];
    }
  });
}

function messageTurn(item: JsonObject): Turn {
  if (item.role !== "user" && item.role !== "assistant")
    throw new Refusal(400, `Invalid value: '${String(item.role)}'.`, "input");
  return {
    role: item.role,
    text: contentText(item.content),
    attachments: objectsOf(item.content).flatMap(readAttachment),
    toolResults: [],
  };
}

function resultTurn(item: JsonObject, calls: Map<string, string>): Turn {
  const name = calls.get(textOf(item.call_id));
  if (name === undefined)
    throw new Refusal(
      400,
      `No tool call found for function call output with call_id ${item.call_id}.`,
      "input",
    );
  const toolResults = [{ name, text: contentText(item.output) }];
  return { role: "user", text: "", attachments: [], toolResults };
}

function readAttachment(part: JsonObject): Attachment[] {
  if (part.type === "input_image") return [readUrl("image", textOf(part.image_url))];
  return part.type === "input_file" ? [readUrl("document", textOf(part.file_data))] : [];
}

function readUrl(kind: Attachment["kind"], url: string): Attachment {
  const inline = /^data:([^;,]+);base64,/.exec(url);
  if (!inline) return { kind, mediaType: "a reference", bytes: null };
  return { kind, mediaType: inline[1] ?? "", bytes: base64Bytes(url.slice(inline[0].length)) };
}

function readToolChoice(choice: unknown): Conversation["toolChoice"] {
  if (choice === "none" || choice === "required") return choice;
  return isObject(choice) && choice.type === "function" ? { name: textOf(choice.name) } : "auto";
}

function readOutputSchema(format: JsonObject): JsonObject | null {
  if (format.type === "json_object") return {};
  return format.type === "json_schema" ? objectOf(format.schema) : null;
}
