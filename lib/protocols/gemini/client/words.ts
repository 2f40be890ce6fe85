import { type Problem, type ProblemWords, plainWords } from "@/lib/protocols/generation/problems";

const at = (param: string, text: string): Problem => ({ param, message: `${param}${text}` });

/** The error texts for Gemini clients about what a node does not accept. Source: docs/gemini.md#losses. */
export const geminiWords: ProblemWords = {
  ...plainWords,
  choices: () => at("generationConfig.candidateCount", " must be 1: this model gives one candidate."),
  outputModalities: () =>
    at("generationConfig.responseModalities", ' must be ["TEXT"]: this model answers in text only.'),
  stopCount: (most) =>
    at("generationConfig.stopSequences", ` must have at most ${most} entries for this model.`),
  prefill: () =>
    at("contents", ": this model does not continue its own turn; the last content must be from the user."),
  emptyHistory: () => at("contents", " must hold at least one content of the user or the model."),
  imageUrl: ({ source }) => at(source, ": this model takes no image URLs; send the image as inlineData."),
  imageForm: ({ source }) =>
    at(source, ": files of another service cannot be read; send the image as inlineData."),
  documentForm: ({ source }) => at(source, ": files are not fetched; send the file as inlineData."),
  hostedTool: ({ source }) => at(source, " cannot be used with this model, which runs no tools itself."),
  webSearch: ({ source }) => at(source, ": this model has no web search."),
  resultWithoutCallId: ({ source }) => at(`${source}.name`, " must be the name of the function it answers."),
  orphanResult: ({ source }) => at(source, " must belong to a functionCall of the content before it."),
  unanswered: ({ source, calls }) => unanswered(calls[0]?.source ?? source),
  neverAnswered: ({ source, calls }) => unanswered(calls[0]?.source ?? source),
};

function unanswered(source: string): Problem {
  return at(source, " has no functionResponse in the next content; add one for each functionCall.");
}
