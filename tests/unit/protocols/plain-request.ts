import { plainWords } from "@/lib/protocols/generation/problems";
import type { GenerationRequest } from "@/lib/protocols/generation/request";

/** A neutral request that asks for nothing. What is new in the model has its value here. */
export const plainRequest: GenerationRequest = {
  fields: [],
  words: plainWords,
  notes: [],
  instructions: [],
  turns: [],
  answersFollowCalls: true,
  tools: [],
  customTools: false,
  toolChoice: null,
  parallelToolCalls: null,
  sampling: {
    temperature: null,
    topP: null,
    topK: null,
    seed: null,
    frequencyPenalty: null,
    presencePenalty: null,
  },
  outputLimit: null,
  longAnswers: false,
  stop: [],
  reasoning: { wish: null, hidden: false, overridden: [] },
  outputFormat: null,
  verbosity: null,
  choices: 1,
  logProbabilities: null,
  caller: null,
  session: null,
  serviceTier: null,
  stream: true,
  audioOutput: false,
  otherModalities: false,
  blockingModeration: false,
};
