import { estimateTextTokens } from "@/lib/billing/estimate";
import { runtime } from "@/lib/gateway/runtime";
import { failpoint } from "@/lib/kernel/failpoint";
import type { LiveAnswer } from "./live-answer";
import type { Run } from "./run";

/** How long a node is read on for a client who has left. Source: docs/contract.md#b6. */
const READ_ON_MS = 300;

/** Beyond so many at once nodes are let go. Source: docs/contract.md#b6. */
export const MAX_DISCONNECT_DRAINS = 64;

/**
 * Watches for the client of a running answer to leave. From then on the caller's places and reserved tokens are free,
 * and the node is given a moment to tell its usage; a node of whose answer nothing was shown is let go at once, and so
 * is one for which there is no more room. The hold stays until the settlement. Source: docs/contract.md#b6.
 */
export class ReadOn {
  /** True once something of the answer was sent. */
  shown = false;
  readonly #run: Run;
  readonly #answer: LiveAnswer;
  #timer: NodeJS.Timeout | undefined;

  constructor(run: Run, answer: LiveAnswer) {
    this.#run = run;
    this.#answer = answer;
    const { signal } = run.trace.call;
    if (signal.aborted) this.#left();
    else signal.addEventListener("abort", this.#left);
  }

  /** Ends the watch; call it once the node is let go. */
  end(): void {
    this.#run.trace.call.signal.removeEventListener("abort", this.#left);
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    runtime().disconnectDrains.release();
  }

  readonly #left = (): void => {
    for (const end of this.#run.trace.call.atEnd.splice(0)) end();
    if (!this.shown || !runtime().disconnectDrains.tryAcquire()) {
      this.#answer.abort();
      return;
    }
    this.#timer = setTimeout(() => this.#answer.abort(), READ_ON_MS);
    returnTokens(this.#run, this.#answer);
    failpoint("reading-on");
  };
}

/** Until the settlement only what is known so far counts against the token limit. */
function returnTokens(run: Run, { translator }: LiveAnswer): void {
  if (run.admission === null) return;
  const { ticket } = run.admission;
  const { usage, emitted } = translator.meter;
  const output = Math.max(usage.output ?? 0, estimateTextTokens(emitted));
  const reserved = Math.min(ticket.reserved, run.inputEstimate + output);
  void runtime().limiter.correct(ticket, reserved);
  const store = ticket.store && { ...ticket.store, reserved };
  run.admission = { ...run.admission, ticket: { ...ticket, reserved, store, open: true } };
}
