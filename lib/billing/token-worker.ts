import { parentPort } from "node:worker_threads";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { splitLongRuns } from "./long-runs";

const plainText = { disallowedSpecial: new Set<string>() };

parentPort?.on("message", (text: string) => {
  let tokens = 0;
  for (const part of splitLongRuns(text)) tokens += countTokens(part, plainText);
  parentPort?.postMessage(tokens);
});
