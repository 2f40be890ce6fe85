import type { JsonObject } from "../../lib/kernel/json-object";
import { type Attachment, type Conversation, Refusal, type Turn } from "./conversation";
import { base64Bytes, objectOf, objectsOf, textOf, textsOf } from "./json";

/** A Gemini request as a conversation; `model` and `stream` come from its path. Throws: Refusal, as a real provider would. */
export function readGemini(body: JsonObject): Conversation {
  const contents = objectsOf(body.contents);
  if (contents.length === 0)
    throw new Refusal(400, "* GenerateContentRequest.contents: contents is not specified");
  const config = objectOf(body.generationConfig);
  const calling = objectOf(objectOf(body.toolConfig).functionCallingConfig);
  const thinking = objectOf(config.thinkingConfig);
  return {
    protocol: "gemini",
    model: textOf(body.model),
    system: textIn(objectOf(body.systemInstruction)),
    turns: contents.map(readTurn),
    tools: objectsOf(body.tools).flatMap(({ functionDeclarations }) =>
      objectsOf(functionDeclarations).map(readTool),
    ),
    hostedTools: objectsOf(body.tools).flatMap((tool) =>
      tool.googleSearch === undefined ? [] : ["web_search"],
    ),
    toolChoice: readToolChoice(calling),
    parallelAllowed: true,
    stream: body.stream === true,
    includeUsage: true,
    maxTokens: Number(config.maxOutputTokens ?? 4096),
    choices: Number(config.candidateCount ?? 1),
    stopSequences: textsOf(config.stopSequences),
    reasoning: textOf(thinking.thinkingLevel) !== "" || Number(thinking.thinkingBudget ?? 0) !== 0,
    outputSchema: config.responseMimeType === "application/json" ? objectOf(config.responseJsonSchema) : null,
  };
}

function textIn(content: JsonObject): string {
  return objectsOf(content.parts)
    .filter(({ thought }) => thought !== true)
    .map(({ text }) => textOf(text))
    .join("");
}

function readTurn(content: JsonObject): Turn {
  const parts = objectsOf(content.parts);
  if (parts.length === 0)
    throw new Refusal(400, "* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.");
  return {
    role: content.role === "model" ? "assistant" : "user",
    text: textIn(content),
    attachments: parts.flatMap(readAttachment),
    toolResults: parts.flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [readResult(objectOf(functionResponse))],
    ),
  };
}

function readResult({ name, response }: JsonObject): Turn["toolResults"][number] {
  const { output, error } = objectOf(response);
  const value = output ?? error ?? response;
  return { name: textOf(name), text: typeof value === "string" ? value : JSON.stringify(value) };
}

function readAttachment({ inlineData, fileData }: JsonObject): Attachment[] {
  const blob = objectOf(inlineData ?? fileData);
  const mediaType = textOf(blob.mimeType);
  if (mediaType === "") return [];
  const kind = mediaType.startsWith("image/") ? "image" : "document";
  return [{ kind, mediaType, bytes: inlineData === undefined ? null : base64Bytes(textOf(blob.data)) }];
}

function readTool({ name, parametersJsonSchema, parameters }: JsonObject): Conversation["tools"][number] {
  return { name: textOf(name), schema: objectOf(parametersJsonSchema ?? parameters) };
}

function readToolChoice({ mode, allowedFunctionNames }: JsonObject): Conversation["toolChoice"] {
  if (mode === "NONE") return "none";
  if (mode !== "ANY") return "auto";
  const [only, ...others] = textsOf(allowedFunctionNames);
  return only !== undefined && others.length === 0 ? { name: only } : "required";
}
