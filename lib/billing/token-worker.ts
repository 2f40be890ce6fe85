import { parentPort } from "node:worker_threads";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { breakRuns } from "./break-runs";

/** One text to count; `id` comes back with the answer. */
export interface TokenTask {
  id: number;
  text: string;
}

/** What the worker answers. */
export interface TokenAnswer {
  id: number;
  tokens: number;
}

const plainText = { disallowedSpecial: new Set<string>() };

parentPort?.on("message", ({ id, text }: TokenTask) => {
  let tokens = 0;
  for (const part of breakRuns(text)) tokens += countTokens(part, plainText);
  parentPort?.postMessage({ id, tokens } satisfies TokenAnswer);
});
