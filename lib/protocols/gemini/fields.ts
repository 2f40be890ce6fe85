import type { FieldTable } from "@/lib/protocols/generation/concepts";

const fromPath = "the gateway reads it from the path";
const bothForms = "one of the two";

/**
 * The concepts of each field of a Gemini request. `model` and `stream` are no members of a caller's body: the gateway
 * adds them from the path. Source: docs/gemini.md#fields.
 */
export const geminiFields: FieldTable = {
  model: { concepts: ["model"], note: fromPath },
  stream: { concepts: ["streaming"], note: fromPath },
  contents: { concepts: ["history"] },
  systemInstruction: { concepts: ["instructions"] },
  tools: { concepts: ["tools"] },
  toolConfig: { concepts: [], members: true },
  "toolConfig.functionCallingConfig": { concepts: ["toolChoice"] },
  "toolConfig.retrievalConfig": { concepts: [] },
  "toolConfig.includeServerSideToolInvocations": { concepts: [], hint: true },
  generationConfig: { concepts: [], members: true },
  "generationConfig.maxOutputTokens": { concepts: ["outputLimit"] },
  "generationConfig.temperature": { concepts: ["temperature"] },
  "generationConfig.topP": { concepts: ["topP"] },
  "generationConfig.topK": { concepts: ["topK"] },
  "generationConfig.stopSequences": { concepts: ["stop"] },
  "generationConfig.candidateCount": { concepts: ["choices"] },
  "generationConfig.responseMimeType": { concepts: ["outputFormat"], usual: "text/plain" },
  "generationConfig.responseSchema": { concepts: ["outputFormat"], note: bothForms },
  "generationConfig.responseJsonSchema": { concepts: ["outputFormat"], note: bothForms },
  "generationConfig.thinkingConfig": { concepts: ["reasoning"] },
  "generationConfig.responseLogprobs": { concepts: ["logProbabilities"], hint: true },
  "generationConfig.logprobs": { concepts: ["logProbabilities"], hint: true },
  "generationConfig.responseModalities": { concepts: ["outputModalities"] },
  "generationConfig.seed": { concepts: ["seed"] },
  "generationConfig.presencePenalty": { concepts: ["penalties"], hint: true },
  "generationConfig.frequencyPenalty": { concepts: ["penalties"], hint: true },
  "generationConfig.mediaResolution": { concepts: [], usual: "MEDIA_RESOLUTION_UNSPECIFIED" },
  "generationConfig.speechConfig": { concepts: [] },
  "generationConfig.imageConfig": { concepts: [] },
  "generationConfig.responseFormat": { concepts: [] },
  "generationConfig.routingConfig": { concepts: [], note: "the gateway chooses the model" },
  "generationConfig.modelConfig": { concepts: [], note: "the gateway chooses the model" },
  "generationConfig.audioTimestamp": { concepts: [], hint: true },
  "generationConfig.audioTranscriptionConfig": { concepts: [] },
  "generationConfig.translationConfig": { concepts: [] },
  "generationConfig.enableAffectiveDialog": { concepts: [], hint: true },
  "generationConfig.enableEnhancedCivicAnswers": { concepts: [], hint: true },
  safetySettings: { concepts: [], hint: true },
  labels: { concepts: [], hint: true },
  serviceTier: { concepts: ["serviceTier"] },
  cachedContent: { concepts: ["serverState"] },
  continuationToken: { concepts: ["serverState"] },
  store: { concepts: ["storage"] },
  modelArmorConfig: { concepts: [] },
  outputConfig: { concepts: [] },
};
