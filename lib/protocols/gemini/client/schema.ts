import { z } from "zod";

// Every object is loose, because unknown fields must reach a node of the same protocol.

const text = z.string();

const blob = z.looseObject({ mimeType: text, data: text });
const file = z.looseObject({ fileUri: text, mimeType: text.nullish() });

const part = z.looseObject({
  text: text.nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: text.nullish(),
  inlineData: blob.nullish(),
  fileData: file.nullish(),
  functionCall: z
    .looseObject({ id: text.nullish(), name: text.min(1), args: z.looseObject({}).nullish() })
    .nullish(),
  functionResponse: z
    .looseObject({
      id: text.nullish(),
      name: text.nullish(),
      response: z.looseObject({}).nullish(),
      parts: z.array(z.looseObject({ inlineData: blob.nullish(), fileData: file.nullish() })).nullish(),
    })
    .nullish(),
  executableCode: z.looseObject({ code: text.nullish(), language: text.nullish() }).nullish(),
  codeExecutionResult: z.looseObject({ outcome: text.nullish(), output: text.nullish() }).nullish(),
});

const parts = z.array(part).min(1);

const content = z.looseObject({
  role: z.enum(["user", "model", "function"]).nullish(),
  parts: parts.nullish(),
});

const functionName = text.regex(
  /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/,
  "must begin with a letter or _ and hold at most 128 letters, digits, _, ., : and -",
);

const declaration = z.looseObject({
  name: functionName,
  description: text.nullish(),
  parameters: z.looseObject({}).nullish(),
  parametersJsonSchema: z.looseObject({}).nullish(),
});

const tool = z.looseObject({ functionDeclarations: z.array(declaration).max(512).nullish() });

const penalty = z.number().min(-2).max(2).nullish();

const generationConfig = z.looseObject({
  maxOutputTokens: z.int({ error: "must be a whole number of at least 1" }).min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  topP: z.number().min(0).max(1).nullish(),
  topK: z.number().min(1).nullish(),
  stopSequences: z.array(text).max(5).nullish(),
  candidateCount: z.int().min(1).max(8).nullish(),
  responseMimeType: text.nullish(),
  responseSchema: z.looseObject({}).nullish(),
  responseJsonSchema: z.looseObject({}).nullish(),
  thinkingConfig: z
    .looseObject({
      includeThoughts: z.boolean().nullish(),
      thinkingBudget: z.int().min(-1).nullish(),
      thinkingLevel: text.nullish(),
    })
    .nullish(),
  responseLogprobs: z.boolean().nullish(),
  logprobs: z.int().min(0).max(20).nullish(),
  responseModalities: z.array(text).nullish(),
  seed: z.int().nullish(),
  presencePenalty: penalty,
  frequencyPenalty: penalty,
});

const toolConfig = z.looseObject({
  functionCallingConfig: z
    .looseObject({ mode: text.nullish(), allowedFunctionNames: z.array(text).nullish() })
    .nullish(),
});

/**
 * A Gemini request as far as the gateway reads it; unknown fields are kept. `model` and `stream` are added from the
 * path. Source: docs/gemini.md#fields.
 */
export const geminiRequest = z.looseObject({
  model: text.min(1),
  stream: z.boolean().nullish(),
  contents: z.array(content).min(1).max(2000),
  systemInstruction: z.looseObject({ parts: z.array(part).nullish() }).nullish(),
  tools: z.array(tool).max(128).nullish(),
  toolConfig: toolConfig.nullish(),
  generationConfig: generationConfig.nullish(),
  serviceTier: text.nullish(),
  cachedContent: text.nullish(),
});

/** A checked Gemini request. */
export type GeminiRequest = z.infer<typeof geminiRequest>;

/** One content of a request. */
export type GeminiContent = z.infer<typeof content>;

/** One part of a content. */
export type GeminiPart = z.infer<typeof part>;

/** One entry of `tools`. */
export type GeminiTool = z.infer<typeof tool>;

/** The options of the generation. */
export type GenerationConfig = z.infer<typeof generationConfig>;
