/** A token count: a whole number from 0; anything else is undefined. Source: docs/reliability.md#s2-6. */
export function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Counts of output as a node reports them. Units: tokens. */
interface ToldOutput {
  prompt: number | undefined;
  output: number | undefined;
  reasoning: number | undefined;
  total: number | undefined;
}

/**
 * The output and the part of it that is reasoning. Tokens that only the node's total includes are reasoning, so that
 * input plus output is at least the total. Shape: absent if not known. Source: docs/protocols.md#s11-3.
 */
export function outputCounts({ prompt, output, reasoning, total }: ToldOutput): {
  output?: number;
  reasoning?: number;
} {
  if (output === undefined) return reasoning === undefined ? {} : { reasoning };
  // A node that does not count the prompt reports zero.
  const whole = !prompt || total === undefined ? output : Math.max(output, total - prompt);
  const thoughts = reasoning || whole - output;
  if (reasoning === undefined && thoughts === 0) return { output: whole };
  return { output: whole, reasoning: Math.min(thoughts, whole) };
}

/**
 * The kinds of input in a whole prompt. Where the cache counts add up to more than the prompt, the greater of the read
 * and the written count includes the other one. Source: docs/protocols.md#s11-3.
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
