import type { JsonObject } from "../../lib/kernel/json-object";
import { type Attachment, type Conversation, Refusal, type Turn } from "./conversation";
import { base64Bytes, objectOf, objectsOf, textOf, textsOf } from "./json";

/** A Gemini request as a conversation; the server adds `model` and `stream` from the path. Throws: Refusal. */
export function readGemini(body: JsonObject): Conversation {
  const contents = objectsOf(body.contents);
  if (contents.length === 0) throw new Refusal(400, "contents is not specified");
  const config = objectOf(body.generationConfig);
  const choice = objectOf(objectOf(body.toolConfig).functionCallingConfig);
  const entries = objectsOf(body.tools);
  return {
    protocol: "gemini",
    model: textOf(body.model),
    system: partsText(body.systemInstruction),
    turns: contents.map(readTurn),
    tools: entries
      .flatMap((entry) => objectsOf(entry.functionDeclarations))
      .map((tool) => ({
        name: textOf(tool.name),
        schema: objectOf(tool.parametersJsonSchema ?? tool.parameters),
      })),
    hostedTools: entries.flatMap((entry) =>
      Object.keys(entry).filter((type) => type !== "functionDeclarations"),
    ),
    toolChoice: readToolChoice(choice),
    parallelAllowed: true,
    stream: body.stream === true,
    includeUsage: true,
    maxTokens: typeof config.maxOutputTokens === "number" ? config.maxOutputTokens : 8_192,
    choices: typeof config.candidateCount === "number" ? config.candidateCount : 1,
    stopSequences: textsOf(config.stopSequences),
    reasoning: objectOf(config.thinkingConfig).includeThoughts === true,
    outputSchema: config.responseJsonSchema == null ? null : objectOf(config.responseJsonSchema),
  };
}

function partsText(content: unknown): string {
  return objectsOf(objectOf(content).parts)
    .map((part) => textOf(part.text))
    .join("");
}

function readTurn(content: JsonObject, index: number): Turn {
  const parts = objectsOf(content.parts);
  if (parts.length === 0) throw new Refusal(400, `contents[${index}].parts must not be empty`);
  return {
    role: content.role === "model" ? "assistant" : "user",
    text: partsText(content),
    attachments: parts.flatMap(readAttachment),
    toolResults: parts
      .filter((part) => part.functionResponse !== undefined)
      .map((part) => {
        const { name, response } = objectOf(part.functionResponse);
        const { output } = objectOf(response);
        return {
          name: textOf(name),
          text: typeof output === "string" ? output : JSON.stringify(response ?? {}),
        };
      }),
  };
}

function readAttachment(part: JsonObject): Attachment[] {
  if (part.inlineData === undefined && part.fileData === undefined) return [];
  const inline = objectOf(part.inlineData);
  const mediaType = textOf(inline.mimeType ?? objectOf(part.fileData).mimeType);
  const kind = mediaType.startsWith("image/") ? "image" : "document";
  return [
    { kind, mediaType, bytes: part.inlineData === undefined ? null : base64Bytes(textOf(inline.data)) },
  ];
}

function readToolChoice({ mode, allowedFunctionNames }: JsonObject): Conversation["toolChoice"] {
  const [name] = textsOf(allowedFunctionNames);
  if (mode === "NONE") return "none";
  if (mode !== "ANY") return "auto";
  return name === undefined ? "required" : { name };
}
