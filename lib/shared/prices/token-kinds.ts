import type { TokenPart, Usage } from "@/lib/kernel/usage";

/** Kinds of tokens of a prompt. */
export const inputKinds = [
  "input",
  "cacheRead",
  "cacheWrite",
  "cacheWrite1h",
  "audioInput",
  "imageInput",
] as const;

/** Kinds of tokens of an answer. */
export const outputKinds = ["output", "reasoning", "audioOutput", "imageOutput"] as const;

/** All kinds of tokens, disjoint, in the order of a receipt. Source: docs/reliability.md#s2-2. */
export const tokenKinds = [...inputKinds, ...outputKinds] as const;

/** A kind of tokens that is billed at one rate. */
export type TokenKind = (typeof tokenKinds)[number];

/** The kinds that have the rate of another kind when they have none of their own. */
export const parentKinds = {
  cacheRead: "input",
  cacheWrite: "input",
  cacheWrite1h: "cacheWrite",
  audioInput: "input",
  imageInput: "input",
  reasoning: "output",
  audioOutput: "output",
  imageOutput: "output",
} as const satisfies Partial<Record<TokenKind, TokenKind>>;

/** A kind with a parent. */
export type ChildKind = keyof typeof parentKinds;

/** These kinds, parents before their own children. */
export const childKinds = Object.keys(parentKinds) as ChildKind[];

/** Tokens by their kind. */
export type TokenCounts = Record<TokenKind, number>;

/**
 * The counts of a request by disjoint kinds; their sum is that of its prompt and output. Parts that exceed what they are
 * parts of are cut. Units: tokens.
 */
export function countsOf(usage: Usage): TokenCounts {
  const { inputUncached, cacheRead, cacheWrite, output, parts } = usage;
  const reasoning = Math.min(usage.reasoning, output);
  if (parts === undefined)
    return { ...none, input: inputUncached, cacheRead, cacheWrite, output: output - reasoning, reasoning };
  const part = (name: TokenPart, most: number) => Math.min(parts[name] ?? 0, most);
  const cacheWrite1h = part("cacheWrite1h", cacheWrite);
  const audioInput = part("audioInput", inputUncached);
  const imageInput = part("imageInput", inputUncached - audioInput);
  const audioOutput = part("audioOutput", output - reasoning);
  const imageOutput = part("imageOutput", output - reasoning - audioOutput);
  return {
    input: inputUncached - audioInput - imageInput,
    cacheRead,
    cacheWrite: cacheWrite - cacheWrite1h,
    cacheWrite1h,
    audioInput,
    imageInput,
    output: output - reasoning - audioOutput - imageOutput,
    reasoning,
    audioOutput,
    imageOutput,
  };
}

const none: TokenCounts = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWrite1h: 0,
  audioInput: 0,
  imageInput: 0,
  output: 0,
  reasoning: 0,
  audioOutput: 0,
  imageOutput: 0,
};
