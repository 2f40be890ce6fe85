const AT_ONCE = 16;

const waiting: (() => void)[] = [];
let scheduled = false;

/**
 * Resolves in a later turn of the event loop, for at most 16 callers a turn. When thousands of clients leave at once,
 * letting their nodes go and serving those who stay must not wait for the settlements. Source: reliability 4.10 (150).
 */
export function afterRush(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    for (const resolve of waiting.splice(0, AT_ONCE)) resolve();
    if (waiting.length > 0) schedule();
  });
}
