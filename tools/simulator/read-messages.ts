import type { JsonObject } from "../../lib/kernel/json-object";
import { type Attachment, type Conversation, Refusal, type Turn } from "./conversation";
import { base64Bytes, objectOf, objectsOf, textOf, textsOf } from "./json";

/** A Messages request as a conversation. Throws: Refusal, as a real provider would. */
export function readMessages(body: JsonObject): Conversation {
  const messages = objectsOf(body.messages);
  if (messages.length === 0) throw new Refusal(400, "messages: at least one message is required");
  if (typeof body.max_tokens !== "number") throw new Refusal(400, "max_tokens: Field required");
  const choice = objectOf(body.tool_choice);
  return {
    protocol: "messages",
    model: textOf(body.model),
    system: contentText(body.system),
    turns: readTurns(messages),
    tools: objectsOf(body.tools).map((tool) => ({
      name: textOf(tool.name),
      schema: objectOf(tool.input_schema),
    })),
    toolChoice: readToolChoice(choice),
    parallelAllowed: choice.disable_parallel_tool_use !== true,
    stream: body.stream === true,
    includeUsage: true,
    maxTokens: body.max_tokens,
    choices: 1,
    stopSequences: textsOf(body.stop_sequences),
    reasoning: ["enabled", "adaptive"].includes(textOf(objectOf(body.thinking).type)),
    hostedTools: [],
    outputSchema: readOutputSchema(body),
  };
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .map((block) => textOf(block.text))
    .join("");
}

function readTurns(messages: JsonObject[]): Turn[] {
  let calls = new Map<string, string>();
  return messages.map((message, index) => {
    if (message.role !== "user" && message.role !== "assistant" && message.role !== "system")
      throw new Refusal(400, `messages.${index}.role: Input should be 'user', 'assistant' or 'system'`);
    const blocks = objectsOf(message.content);
    const turn: Turn = {
      role: message.role === "assistant" ? "assistant" : "user",
      text: contentText(message.content),
      attachments: blocks.flatMap(readAttachment),
      toolResults: readResults(blocks, calls, index),
    };
    calls = new Map(
      blocks
        .filter((block) => block.type === "tool_use")
        .map((block) => [textOf(block.id), textOf(block.name)]),
    );
    return turn;
  });
}

/** Results must answer exactly the calls of the message before. */
function readResults(blocks: JsonObject[], calls: Map<string, string>, index: number): Turn["toolResults"] {
  const results = blocks.filter((block) => block.type === "tool_result");
  const missing = [...calls.keys()].filter((id) => !results.some((result) => result.tool_use_id === id));
  if (missing.length > 0)
    throw new Refusal(
      400,
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks: ${missing.join(", ")}`,
    );
  return results.map((result) => {
    const name = calls.get(textOf(result.tool_use_id));
    if (name === undefined)
      throw new Refusal(400, `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks`);
    return { name, text: contentText(result.content) };
  });
}

function readAttachment(block: JsonObject): Attachment[] {
  if (block.type !== "image" && block.type !== "document") return [];
  const source = objectOf(block.source);
  const inline = source.type === "base64";
  return [
    {
      kind: block.type,
      mediaType: inline ? textOf(source.media_type) : "a reference",
      bytes: inline ? base64Bytes(textOf(source.data)) : null,
    },
  ];
}

function readToolChoice(choice: JsonObject): Conversation["toolChoice"] {
  if (choice.type === "any") return "required";
  if (choice.type === "none") return "none";
  return choice.type === "tool" ? { name: textOf(choice.name) } : "auto";
}

function readOutputSchema(body: JsonObject): JsonObject | null {
  const format = objectOf(objectOf(body.output_config).format ?? body.output_format);
  return format.type === "json_schema" ? objectOf(format.schema) : null;
}
