import type { ChildProcess } from "node:child_process";
import type { Log } from "@/lib/ops/log";

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;
/** A process that has run at least this long is restarted at once when it ends. */
const STABLE_MS = 60_000;
const ENDS_WITHIN_MS = 2_000;

/** The parts of a child process that its supervisor uses. */
export type SupervisedChild = Pick<
  ChildProcess,
  "pid" | "on" | "once" | "kill" | "disconnect" | "connected" | "exitCode" | "signalCode"
>;

/** A check whether a listening process still answers. */
export interface LivenessProbe {
  everyMs: number;
  /** Resolves false when there is no answer in time. */
  answers(): Promise<boolean>;
}

/** One missed answer may only mean a busy process. */
const MAX_SILENT = 2;

/** How a process has ended, or why it could not be started. */
type EndDetails = { err: unknown } | { code: number | null; signal: string | null };

/**
 * Keeps the pages process running: starts it again when it ends, at once and then with growing delays, and kills it when
 * it listens but does not answer any more. The child sends one message when it listens, ignores signals, and ends when
 * its channel to this process closes.
 * Source: docs/architecture.md#s1-1.
 */
export class PagesProcess {
  readonly #spawn: () => SupervisedChild;
  readonly #log: Pick<Log, "warn" | "error">;
  readonly #probe: LivenessProbe | null;
  readonly #waiting = new Set<(ready: boolean) => void>();
  #child: SupervisedChild | null = null;
  #restart: NodeJS.Timeout | null = null;
  #nextProbe: NodeJS.Timeout | null = null;
  #ready = false;
  #stopped = false;
  /** How often in a row the process ended soon after its start. */
  #failures = 0;

  /** `spawn` starts the child with a channel for messages. `probe`: null when the child may be silent for long. */
  constructor(
    spawn: () => SupervisedChild,
    log: Pick<Log, "warn" | "error">,
    probe: LivenessProbe | null = null,
  ) {
    this.#spawn = spawn;
    this.#log = log;
    this.#probe = probe;
  }

  /** The process's number; null while there is none. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Starts the process. Returns at once. */
  start(): void {
    const startedMs = performance.now();
    let ended = false;
    const onEnd = (details: EndDetails) => {
      if (ended) return;
      ended = true;
      this.#onEnd(details, performance.now() - startedMs);
    };
    try {
      const child = this.#spawn();
      this.#child = child;
      child.once("message", () => {
        this.#settle(true);
        this.#probeSoon(child, 0);
      });
      child.on("error", (err: Error) => onEnd({ err }));
      child.once("exit", (code: number | null, signal: string | null) => onEnd({ code, signal }));
    } catch (err) {
      onEnd({ err });
    }
  }

  /** Resolves true as soon as the process listens; false when it does not within this time. */
  ready(withinMs: number): Promise<boolean> {
    if (this.#ready || this.#stopped) return Promise.resolve(this.#ready);
    return new Promise((resolve) => {
      const finish = (ready: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(finish);
        resolve(ready);
      };
      const timer = setTimeout(() => finish(false), withinMs);
      this.#waiting.add(finish);
    });
  }

  /** Ends the process for good and resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#settle(false);
    if (this.#restart !== null) clearTimeout(this.#restart);
    if (this.#nextProbe !== null) clearTimeout(this.#nextProbe);
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const timer = setTimeout(() => child.kill("SIGKILL"), ENDS_WITHIN_MS);
    if (child.connected) child.disconnect();
    await ended;
    clearTimeout(timer);
  }

  #settle(ready: boolean): void {
    this.#ready = ready;
    if (ready || this.#stopped) for (const finish of [...this.#waiting]) finish(ready);
  }

  /** `silent`: how often in a row the child has not answered. */
  #probeSoon(child: SupervisedChild, silent: number): void {
    if (this.#probe === null || this.#child !== child || this.#stopped) return;
    const probe = this.#probe;
    this.#nextProbe = setTimeout(() => {
      void probe.answers().then((answered) => this.#onProbe(child, answered ? 0 : silent + 1));
    }, probe.everyMs);
    this.#nextProbe.unref();
  }

  #onProbe(child: SupervisedChild, silent: number): void {
    if (silent < MAX_SILENT) {
      this.#probeSoon(child, silent);
    } else if (this.#child === child && !this.#stopped) {
      this.#log.error({ pid: child.pid }, "the pages process does not answer and is killed");
      child.kill("SIGKILL");
    }
  }

  #onEnd(details: EndDetails, ranMs: number): void {
    this.#child = null;
    this.#settle(false);
    if (this.#stopped) return;
    this.#failures = ranMs >= STABLE_MS ? 0 : this.#failures + 1;
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, this.#failures - 1));
    this.#log.warn({ ...details, delayMs }, "the pages process has ended and is started again");
    this.#restart = setTimeout(() => this.start(), delayMs);
  }
}
