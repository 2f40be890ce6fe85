import type { Note } from "./golden-file";
import { type AnswerInput, type AnswerOptions, type Protocol, protocols } from "./shapes";
import { answerGolden } from "./subject-answers";

/** Notes what clients of both protocols get of an answer, streamed and whole. */
export async function noteEveryWay(
  note: Note,
  name: string,
  upstream: Protocol,
  input: AnswerInput,
  options: AnswerOptions,
): Promise<void> {
  for (const client of protocols) {
    for (const stream of [true, false]) {
      const label = `${name} ${upstream} to ${client}, ${stream ? "streamed" : "whole"}`;
      note(label, await answerGolden({ upstream, client, stream }, input, options));
    }
  }
}

/** The text of a stream as its bytes. */
export function bytesOf(text: string): AnswerInput {
  return { pieces: [new TextEncoder().encode(text)] };
}

/** Options of answers, the usual ones first, the others with everything that an answer can be asked for. */
export const optionSets: readonly AnswerOptions[] = [
  {},
  {
    includeUsage: false,
    excludeReasoning: true,
    singleToolCall: true,
    toolNames: [
      ["f", "a name/too long"],
      ["get_weather", "weather of a place"],
    ],
    stopSequences: ["END"],
    choices: 2,
    usageCeiling: 2_000,
    maxTokens: 100,
  },
  { legacyFunctions: true, stopSequences: ["END"], toolNames: [["g", "a name/too long"]] },
];
