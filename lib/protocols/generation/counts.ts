/** A token count: a whole number from 0; anything else is undefined. Source: docs/reliability.md#s2-6. */
export function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Counts of output as a node tells them. Units: tokens. */
interface ToldOutput {
  prompt: number | undefined;
  output: number | undefined;
  reasoning: number | undefined;
  total: number | undefined;
}

/**
 * The output and the reasoning in it. What only the node's total counts is reasoning: input and output together are never
 * less than the total. Shape: absent where it is not known. Source: docs/protocols.md#s11-3.
 */
export function outputCounts({ prompt, output, reasoning, total }: ToldOutput): {
  output?: number;
  reasoning?: number;
} {
  if (output === undefined) return reasoning === undefined ? {} : { reasoning };
  // A prompt of zero is how a node tells that it has not counted it.
  const whole = !prompt || total === undefined ? output : Math.max(output, total - prompt);
  const thoughts = reasoning || whole - output;
  if (reasoning === undefined && thoughts === 0) return { output: whole };
  return { output: whole, reasoning: Math.min(thoughts, whole) };
}

/**
 * The kinds of input that a whole prompt is made of. Where they add up to more than the prompt, the greater one of what was
 * read from the cache and what was written to it includes the other. Source: docs/protocols.md#s11-3.
 */
export function inputCounts(
  prompt: number,
  read: number,
  written: number,
): { cacheRead: number; cacheWrite: number; inputUncached: number } {
  const overlap = read + written > prompt ? Math.min(read, written) : 0;
  const cacheWrite = Math.min(written > read ? written - overlap : written, prompt);
  const cacheRead = Math.min(written > read ? read : read - overlap, prompt - cacheWrite);
  return { cacheRead, cacheWrite, inputUncached: prompt - cacheRead - cacheWrite };
}

/** True when a count was reported at all, valid or not. */
export function isReported(value: unknown): boolean {
  return value !== undefined && value !== null;
}
