import { anthropicPythonExamples } from "./anthropic-python";
import { curlExamples } from "./curl";
import type { ExampleValues, Guide } from "./guide";
import { openaiNodeExamples } from "./openai-node";
import { openaiPythonExamples } from "./openai-python";

const byClient = {
  curl: curlExamples,
  "openai-python": openaiPythonExamples,
  "openai-node": openaiNodeExamples,
  "anthropic-python": anthropicPythonExamples,
} as const;

type GuideClient = keyof typeof byClient;
const guideClients = Object.keys(byClient) as GuideClient[]; // the keys of this constant

/** The code of a guide for each client that has some. */
export function guideExamples(guide: Guide, values: ExampleValues) {
  return guideClients.flatMap((client) => {
    const code = byClient[client][guide]?.(values);
    return code === undefined ? [] : [{ client, code }];
  });
}
