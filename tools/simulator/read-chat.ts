import { isObject, type JsonObject } from "../../lib/kernel/json-object";
import { type Attachment, type Conversation, Refusal, type Turn } from "./conversation";
import { base64Bytes, objectOf, objectsOf, textOf, textsOf } from "./json";

/** A Chat Completions request as a conversation. Throws: Refusal, as a real provider would. */
export function readChat(body: JsonObject): Conversation {
  const messages = objectsOf(body.messages);
  if (messages.length === 0) throw new Refusal(400, "[] is too short - 'messages'", "messages");
  const instructions = messages.filter(isInstruction);
  return {
    protocol: "chat",
    model: textOf(body.model),
    system: instructions.map((message) => contentText(message.content)).join("\n"),
    turns: readTurns(messages.filter((message) => !isInstruction(message))),
    tools: objectsOf(body.tools).map(readTool),
    toolChoice: readToolChoice(body.tool_choice),
    parallelAllowed: body.parallel_tool_calls !== false,
    stream: body.stream === true,
    includeUsage: objectOf(body.stream_options).include_usage === true,
    maxTokens: Number(body.max_completion_tokens ?? body.max_tokens ?? 4096),
    choices: Number(body.n ?? 1),
    stopSequences: textsOf(body.stop),
    reasoning: typeof body.reasoning_effort === "string" && body.reasoning_effort !== "none",
    hostedTools: [],
    outputSchema: readOutputSchema(objectOf(body.response_format)),
  };
}

function isInstruction(message: JsonObject): boolean {
  return message.role === "system" || message.role === "developer";
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .map((part) => textOf(part.text))
    .join("");
}

function readTurns(messages: JsonObject[]): Turn[] {
  const calls = new Map<string, string>();
  return messages.map((message) => {
    for (const call of objectsOf(message.tool_calls))
      calls.set(textOf(call.id), textOf(objectOf(call.function).name));
    if (message.role === "tool") return toolTurn(message, calls);
    if (message.role !== "user" && message.role !== "assistant")
      throw new Refusal(400, `Invalid value: '${String(message.role)}' - 'messages.role'`, "messages");
    return {
      role: message.role,
      text: contentText(message.content),
      attachments: objectsOf(message.content).flatMap(readAttachment),
      toolResults: [],
    };
  });
}

function toolTurn(message: JsonObject, calls: Map<string, string>): Turn {
  const name = calls.get(textOf(message.tool_call_id));
  if (name === undefined)
    throw new Refusal(
      400,
      "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
      "messages",
    );
  return {
    role: "user",
    text: "",
    attachments: [],
    toolResults: [{ name, text: contentText(message.content) }],
  };
}

function readAttachment(part: JsonObject): Attachment[] {
  if (part.type === "image_url") return [readUrl("image", textOf(objectOf(part.image_url).url))];
  if (part.type === "file") return [readUrl("document", textOf(objectOf(part.file).file_data))];
  return [];
}

function readUrl(kind: Attachment["kind"], url: string): Attachment {
  const inline = /^data:([^;,]+);base64,/.exec(url);
  if (!inline) return { kind, mediaType: "a reference", bytes: null };
  return { kind, mediaType: inline[1] ?? "", bytes: base64Bytes(url.slice(inline[0].length)) };
}

function readTool(tool: JsonObject) {
  const definition = objectOf(tool.function);
  if (!textOf(definition.name))
    throw new Refusal(400, "Missing required parameter: 'tools[0].function.name'.", "tools");
  return { name: textOf(definition.name), schema: objectOf(definition.parameters) };
}

function readToolChoice(choice: unknown): Conversation["toolChoice"] {
  if (choice === "none" || choice === "required") return choice;
  return isObject(choice) && isObject(choice.function) ? { name: textOf(choice.function.name) } : "auto";
}

function readOutputSchema(format: JsonObject): JsonObject | null {
  if (format.type === "json_object") return {};
  return format.type === "json_schema" ? objectOf(objectOf(format.json_schema).schema) : null;
}
