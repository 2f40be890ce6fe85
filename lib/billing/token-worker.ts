import { parentPort } from "node:worker_threads";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { splitLongRuns } from "./estimate";

/** One text to count; the answer carries the same `id`. */
export interface TokenTask {
  id: number;
  text: string;
}

/** The worker's answer to a task. */
export interface TokenAnswer {
  id: number;
  tokens: number;
}

const plainText = { disallowedSpecial: new Set<string>() };

parentPort?.on("message", ({ id, text }: TokenTask) => {
  let tokens = 0;
  for (const part of splitLongRuns(text)) tokens += countTokens(part, plainText);
  parentPort?.postMessage({ id, tokens } satisfies TokenAnswer);
});
