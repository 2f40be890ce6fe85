import { shuttingDownError } from "@/lib/admission/admission";
import { STALLED_CLIENT_MS } from "@/lib/kernel/body-writer";
import type { Deadlines, Watched } from "@/lib/kernel/deadlines";
import type { GatewayError } from "@/lib/kernel/errors";
import { failpoint } from "@/lib/kernel/failpoint";
import { centsDecimal } from "@/lib/kernel/money";
import type { StreamFailure } from "@/lib/protocols/adapters/error-format";
import type { StreamForm } from "@/lib/protocols/adapters/stream-form";
import { clientAdapters } from "@/lib/protocols/registry";
import { attemptNodes, type OnOpened } from "./attempt";
import { brokenStream } from "./attempt-failure";
import type { Charge } from "./charge";
import { asGatewayError } from "./error-reply";
import type { GatewayRequest } from "./gateway-request";
import { endRecord, type GenerationContext, type RequestLogBuilder } from "./generation-context";
import type { Metered } from "./meter-answer";
import type { GenerationPlan } from "./plan";
import { BrokenOff, type FrameSink, type Reply } from "./reply";
import { Translator } from "./translator";
import type { OpenAnswer, UpstreamResponse } from "./upstream-response";

const SILENCE_MS = 15_000;

const IDLE_MS = 10_000;

const streamHeaders = {
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/**
 * Calls the nodes and passes the answer on as frames; the terminal frame is sent after the money is settled.
 * Throws: what `attemptNodes` throws, unless the stream has begun.
 * Source: docs/reliability.md#d5, #s2-7, #s2-9, docs/responses.md#s4-1.
 */
export async function deliverStream(
  context: GenerationContext,
  plan: GenerationPlan,
  charge: Charge,
): Promise<Reply> {
  const stream = new StreamDelivery(context, plan, charge);
  const silence = new SilenceRace(context.gateway.deadlines);
  const pending = attemptNodes(context, plan, silence.begin);
  const open = await Promise.race([pending, silence.over]).finally(() => silence.stop());
  return open === null ? stream.replyLate(pending) : stream.reply(open);
}

/** Ends the attempt of a whole answer that was read. Returns its counts; a promise when a tokenizer must count. */
export function finishWhole(
  context: GenerationContext,
  plan: GenerationPlan,
  charge: Charge,
  open: OpenAnswer,
): Metered | Promise<Metered> {
  open.answer.abort();
  context.log.ttftMs = context.log.lastMs;
  finishAttempt(context, plan, open, "ok");
  return charge.meter(open.answer.translator.meter);
}

/** The reply with a whole answer whose money is settled. Units: micro-cents. */
export function replyWhole(log: RequestLogBuilder, body: string, { source }: Metered, cost: bigint): Reply {
  const headers: Record<string, string> = { "content-type": "application/json" };
  headers["x-tollgate-cost"] = centsDecimal(cost);
  if (source === "estimated") headers["x-usage-estimated"] = "1";
  addWarnings(headers, log.warnings);
  return { status: 200, headers, body };
}

/** An answer on its way to its client, frame by frame. */
class StreamDelivery {
  readonly #context: GenerationContext;
  readonly #plan: GenerationPlan;
  readonly #charge: Charge;
  /** How many warnings the headers contain. */
  #told = 0;

  constructor(context: GenerationContext, plan: GenerationPlan, charge: Charge) {
    this.#context = context;
    this.#plan = plan;
    this.#charge = charge;
  }

  /** The reply with a stream whose first meaningful event has arrived. */
  reply(open: OpenAnswer): Reply {
    return this.#replyWith((sink) => this.#write(open, sink), open);
  }

  /**
   * The reply when a node sent 200 and then nothing: the stream begins with comments, and another node may still
   * answer.
   */
  replyLate(pending: Promise<OpenAnswer>): Reply {
    return this.#replyWith((sink) => this.#writeLate(pending, sink), null);
  }

  #replyWith(write: (sink: FrameSink) => Promise<void>, open: OpenAnswer | null): Reply {
    const { call } = this.#context;
    const protocol = clientAdapters[call.protocol];
    const form = protocol.streamForm?.(call.query) ?? null;
    const body = form === null ? write : (sink: FrameSink) => writeInForm(form, write, sink);
    const type = form?.type ?? protocol.streamType;
    const headers: Record<string, string> = { "content-type": type, ...streamHeaders };
    const { warnings } = this.#context.log;
    addWarnings(headers, warnings);
    this.#told = warnings.length;
    const text = () => protocol.ping(open?.answer.translator.started === true);
    return { status: 200, headers, body, idleFrame: { afterMs: IDLE_MS, text } };
  }

  async #writeLate(pending: Promise<OpenAnswer>, sink: FrameSink): Promise<void> {
    await sink.write(clientAdapters[this.#context.call.protocol].ping(false));
    let open: OpenAnswer;
    try {
      open = await pending;
    } catch (error) {
      await this.#charge.fail(error);
      const first = this.#plan.planned[0]?.translatorOptions();
      const { call } = this.#context;
      const failure = failureOf(asGatewayError(error), call);
      const { errors } = clientAdapters[call.protocol];
      await sink.write(first ? new Translator(first).fail(failure) : errors.frame(failure));
      if (errors.resets) throw new BrokenOff();
      return;
    }
    await this.#write(open, sink);
  }

  async #write(open: OpenAnswer, sink: FrameSink): Promise<void> {
    const { call, log, gateway } = this.#context;
    const { signal } = call;
    const { answer } = open;
    log.ttftMs = log.elapsedMs();
    const unfinished = { abort: () => answer.abort("timeout") };
    gateway.drain.open(unfinished);
    const watch = new DisconnectWatch(this.#context, this.#charge, answer);
    try {
      await answer.send((wire) => {
        if (signal.aborted) return null;
        watch.shown = true;
        return sink.write(wire);
      });
      await sink.write(await this.#terminal(open));
    } catch (thrown) {
      if (signal.aborted) return;
      await sink.write(await this.#interrupt(open, thrown));
      if (clientAdapters[call.protocol].errors.resets) throw new BrokenOff();
    } finally {
      gateway.drain.close(unfinished);
      answer.abort();
      watch.end();
      if (!this.#charge.ended) {
        log.elapsedMs();
        finishAttempt(this.#context, this.#plan, open, "cancelled");
        await this.#charge.abandon(answer.translator.meter);
      }
    }
  }

  /** The terminal frames, once the money is settled and the answer is stored. */
  async #terminal(open: OpenAnswer): Promise<string> {
    const { answer } = open;
    const { keeper, log } = this.#context;
    const rest = answer.finish();
    const asked = this.#charge.meter(answer.translator.meter);
    const metered = asked instanceof Promise ? await asked : asked;
    const last = answer.end(metered);
    log.elapsedMs();
    finishAttempt(this.#context, this.#plan, open, "ok");
    failpoint?.("before-settle");
    const kept = keeper === null ? last : keeper.keep(last, log.nodeId);
    await this.#charge.complete(metered);
    failpoint?.("after-settle");
    const { takesComments } = clientAdapters[this.#context.call.protocol];
    const comment = takesComments === false ? "" : lossesComment(log.warnings.slice(this.#told));
    return rest + comment + (typeof kept === "string" ? kept : await kept);
  }

  /** The last frame of a stream that broke. */
  async #interrupt(open: OpenAnswer, thrown: unknown): Promise<string> {
    const { gateway, log } = this.#context;
    const { error, outcome } = gateway.drain.aborted
      ? { error: shuttingDownError(), outcome: null }
      : brokenStream(gateway, thrown, open.planned, log.alias);
    if (outcome !== null) open.health.end(outcome);
    log.elapsedMs();
    const { translator, clientWaitMs } = open.answer;
    // A client that reads almost nothing counts as disconnected; it may be why the node stopped.
    const isClients = clientWaitMs >= STALLED_CLIENT_MS && !gateway.drain.aborted;
    finishAttempt(this.#context, this.#plan, open, isClients ? "cancelled" : "truncated");
    await (isClients
      ? this.#charge.abandon(translator.meter)
      : this.#charge.interrupt(translator.meter, error));
    return translator.fail(failureOf(error, this.#context.call));
  }
}

/** Writes a stream in another form; one that breaks has no end. */
async function writeInForm(
  form: StreamForm,
  write: (sink: FrameSink) => Promise<void>,
  sink: FrameSink,
): Promise<void> {
  await write({ write: (frames) => sink.write(form.write(frames)) });
  await sink.write(form.end());
}

/** The failure as the client of a stream gets it. */
function failureOf({ code, message, details }: GatewayError, { requestId }: GatewayRequest): StreamFailure {
  const { reason, vendorCode } = details;
  const failure: StreamFailure = { code, message, requestId };
  if (reason !== undefined) failure.reason = reason;
  if (vendorCode !== undefined) failure.vendorCode = vendorCode;
  return failure;
}

/** Ends an attempt and its record, at the time that was read last. */
function finishAttempt(
  { gateway, log }: GenerationContext,
  plan: GenerationPlan,
  open: OpenAnswer,
  kind: "ok" | "truncated" | "cancelled",
): void {
  open.health.end({ kind }, log.lastNowMs);
  endRecord(open.record, kind, log.lastMs);
  log.warn(open.answer.translator.warnings);
  if (kind === "ok") gateway.sticky.set(plan.conversation, open.planned.candidate.node.id);
  log.markLast("answer");
}

function addWarnings(headers: Record<string, string>, warnings: readonly string[]): void {
  if (warnings.length > 0) headers["x-tollgate-warnings"] = headerText(warnings);
}

function headerText(warnings: readonly string[]): string {
  return warnings
    .join(",")
    .slice(0, 1_024)
    .replace(/[^\x20-\x7e]/g, "?");
}

const isLoss = /^(?:dropped|changed|clamped|added):/;

/**
 * The losses that occurred after the headers were sent, as a comment before the terminal frames.
 * Source: docs/contract.md#s9-losses.
 */
function lossesComment(warnings: readonly string[]): string {
  const losses = warnings.filter((code) => isLoss.test(code));
  return losses.length === 0 ? "" : `: x-tollgate-warnings: ${headerText(losses)}\n\n`;
}

/** Detects that a node sends nothing after its 200. */
class SilenceRace implements Watched {
  /** Resolves when the node was silent too long. */
  readonly over: Promise<null>;
  readonly #deadlines: Deadlines;
  #end: (value: null) => void = () => {};
  #sinceMs: number | null = null;

  constructor(deadlines: Deadlines) {
    this.#deadlines = deadlines;
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Starts with the first node's 200. */
  readonly begin: OnOpened = () => this.#deadlines.watch(this);

  onSweep(nowMs: number): boolean {
    this.#sinceMs ??= nowMs;
    if (nowMs - this.#sinceMs < SILENCE_MS) return true;
    this.#end(null);
    return false;
  }

  stop(): void {
    this.#deadlines.forget(this);
  }
}

/** How long the rest of an answer is read after its client has disconnected. Source: docs/contract.md#b6. */
const READ_ON_MS = 300;

/** The most answers that are read after a disconnect; further ones are aborted at once. Source: docs/contract.md#b6. */
export const MAX_DISCONNECT_DRAINS = 64;

/**
 * Detects that the client of a running answer disconnects. Then the caller's places and reserved tokens are released,
 * and the answer is read on for a moment, so that the node can send its usage. It is aborted at once when nothing of it
 * was sent to the client, or when too many other answers are read on. The hold stays until the settlement. Source:
 * docs/contract.md#b6.
 */
class DisconnectWatch {
  /** True once a part of the answer was sent. */
  shown = false;
  readonly #context: GenerationContext;
  readonly #charge: Charge;
  readonly #answer: UpstreamResponse;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: GenerationContext, charge: Charge, answer: UpstreamResponse) {
    this.#context = context;
    this.#charge = charge;
    this.#answer = answer;
    const { signal } = context.call;
    if (signal.aborted) this.#left();
    else signal.addEventListener("abort", this.#left);
  }

  /** Ends the watch; call it after the answer was aborted or has ended. */
  end(): void {
    this.#context.call.signal.removeEventListener("abort", this.#left);
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#context.gateway.disconnectDrains.release();
  }

  readonly #left = (): void => {
    const { call, gateway } = this.#context;
    call.permit.release();
    if (!this.shown || !gateway.disconnectDrains.tryAcquire()) {
      this.#answer.abort();
      return;
    }
    this.#timer = setTimeout(() => this.#answer.abort(), READ_ON_MS);
    this.#charge.returnTokens(this.#answer.translator.meter);
    failpoint?.("reading-on");
  };
}
