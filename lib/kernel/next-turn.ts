/** Pieces of work that wait for a turn, in their order. */
const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, of which each runs one waiting piece of work, however many large bodies
 * arrive: short calls wait for one piece at a time. Source: docs/performance.md#s5.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(runOne);
  });
}

function runOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(runOne);
}
