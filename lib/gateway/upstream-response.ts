import type { StoredAttempt } from "@/lib/db/schema/usage";
import type { Deadlines, Watched } from "@/lib/kernel/deadlines";
import { parseExact } from "@/lib/kernel/exact-json";
import type { Waiter } from "@/lib/kernel/waiter";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { type FrameReader, frameReader, isStreamType } from "@/lib/protocols/wire/frame-reader";
import type { Attempt } from "@/lib/router/attempt";
import type { CancelSignal } from "@/lib/upstream/cancellation";
import type { DialError, UpstreamAnswer } from "@/lib/upstream/upstream-answer";
import { type Metered, shownUsage } from "./meter-answer";
import { OutputCap } from "./output-cap";
import type { PlannedAttempt } from "./plan";
import type { Translator } from "./translator";

/** An answer that may be delivered, and the attempt it came from. */
export interface OpenAnswer {
  answer: UpstreamResponse;
  planned: PlannedAttempt;
  health: Attempt;
  record: StoredAttempt;
}

/** The longest time without a meaningful frame; the node's own idle timeout is shorter and any byte restarts it. */
const SILENCE_MS = 300_000;
/** How long after the finish of the answer the bytes may end. Source: docs/protocols.md#f2. */
const OVERDUE_MS = 2_000;
const MAX_WHOLE_BYTES = 32 * 1024 * 1024;
/** The most text before the first meaningful event; the first events of Responses repeat the request's tools. */
const MAX_HEAD_CHARACTERS = 8 * 1024 * 1024;

/** An upstream that sent a wrong answer, as opposed to none. */
export class AnswerError extends Error {
  readonly failure: UpstreamFailure;
  /** Text of the upstream's `Retry-After`. */
  readonly retryAfter: string | undefined;

  constructor(failure: UpstreamFailure, retryAfter?: string) {
    super(failure.message);
    this.name = "AnswerError";
    this.failure = failure;
    this.retryAfter = retryAfter;
  }
}

/** The options for reading an answer. `asked.stream`: requested from the node; `asked.clientStream`: by the client. */
export interface LiveAnswerOptions {
  asked: { stream: boolean; clientStream: boolean };
  /** Aborted when the client disconnects. */
  signal: CancelSignal;
  deadlines: Deadlines;
  /** When the answer is aborted, by the monotonic clock. Units: milliseconds. */
  endsAtMs: number;
  /** The ceiling the node was given for all choices together, and its protocol. Units: tokens. */
  maxTokens: number;
  choices: number;
  protocol: NodeAdapter;
}

/** Takes wire text; returns null when more may follow at once, else a promise that resolves then. */
type WriteFrames = (wire: string) => Promise<void> | null;

const neverEnough = () => false;

/** The parts that read a stream; a whole answer needs none of them. */
interface StreamParts {
  reader: FrameReader;
  cap: OutputCap;
}

/**
 * A node's answer being read. `open()` ends at the first meaningful event of a stream, or with the whole
 * body; until then another node may still be asked. Source: docs/reliability.md#s2-9.
 */
export class UpstreamResponse implements Watched {
  readonly translator: Translator;
  readonly #upstream: UpstreamAnswer;
  readonly #options: LiveAnswerOptions;
  readonly #asked: { stream: boolean; clientStream: boolean };
  #made: StreamParts | null = null;
  #ended = false;
  /** A whole answer has been read: only its body remains to be sent. */
  #isWhole = false;
  /** The first frames of a stream, which may be sent at once. */
  #head = "";
  /** A meaningful frame has arrived since the last sweep. */
  #heard = true;
  /** Units: milliseconds of the monotonic clock; 0: not yet known. */
  #silentSinceMs = 0;
  #finishedAtMs = 0;
  #sweptAtMs = 0;
  /** How long the node had to wait for the client, in all. Units: milliseconds. */
  clientWaitMs = 0;
  #failed: AnswerError | null = null;

  /** Its creator calls `abort()` on every path. */
  constructor(upstream: UpstreamAnswer, translator: Translator, options: LiveAnswerOptions) {
    this.#upstream = upstream;
    this.translator = translator;
    this.#options = options;
    this.#asked = options.asked;
    options.deadlines.watch(this);
  }

  /** Aborts an answer that takes too long or sends nothing, and a connection that stays open after the finish. */
  onSweep(nowMs: number): boolean {
    if (this.#upstream.readerPaused) this.clientWaitMs += nowMs - (this.#sweptAtMs || nowMs);
    this.#sweptAtMs = nowMs;
    if (this.#heard) this.#silentSinceMs = nowMs;
    this.#heard = false;
    const isSilent = this.#asked.stream && nowMs - this.#silentSinceMs >= SILENCE_MS;
    if (nowMs >= this.#options.endsAtMs || isSilent) {
      this.abort("timeout");
      return false;
    }
    if (!this.#asked.stream || !this.translator.finishSeen || this.#upstream.paused) return true;
    this.#finishedAtMs ||= nowMs;
    if (nowMs - this.#finishedAtMs < OVERDUE_MS) return true;
    this.#upstream.abort();
    return false;
  }

  /** Rejects: AnswerError, DialError. */
  open(opened: Waiter<void>): void {
    const type = this.#contentType;
    if (type.includes("json") || (!this.#asked.stream && !isStreamType(type))) {
      this.#openWhole(opened);
      return;
    }
    const opening = this.#asked.clientStream ? this.#openStream() : this.#openFolded();
    opening.then(opened.resolve, opened.reject);
  }

  /**
   * Passes the frames to `write` as they arrive, until the upstream's bytes end; while a promise of `write` is pending,
   * reading pauses. Throws: AnswerError, DialError.
   */
  send(write: WriteFrames): Promise<void> {
    const head = this.#head;
    this.#head = ""; // nothing may hold it while the stream is open, which may be minutes
    const drained = head === "" ? null : write(head);
    const rest = () => this.#read(write, neverEnough);
    return drained === null ? rest() : drained.then(rest);
  }

  /**
   * The upstream's bytes have ended: the frames to send before the terminal ones.
   * Throws: AnswerError when the upstream ended without its terminal signal.
   */
  finish(): string {
    const wire = this.#isWhole ? "" : this.translator.finish();
    if (this.translator.failure) throw new AnswerError(this.translator.failure);
    return wire;
  }

  /** The terminal frames, or the whole body, after `finish()`; `metered`: the counts that are billed. */
  end(metered: Metered): string {
    return this.translator.end(shownUsage(metered, this.translator.meter));
  }

  /** Aborts the node's answer; the node's connection is closed if it is still sending. */
  abort(kind: "aborted" | "timeout" = "aborted"): void {
    this.#options.deadlines.forget(this);
    this.#upstream.abort(kind);
  }

  /** Aborts a node that continues beyond its output limit, or beyond a stop sequence that it does not support. */
  #push(frame: SseFrame, cap: OutputCap): string {
    if (this.#ended) return "";
    cap.watch(frame);
    const wire = this.translator.push(frame);
    if (this.translator.stopped) {
      this.#ended = true;
      this.#upstream.abort();
      return wire;
    }
    if (this.translator.finishSeen || !cap.isPassed(this.translator.meter)) return wire;
    this.#ended = true;
    this.#upstream.abort();
    return cap.ending().reduce((all, last) => all + this.translator.push(last), wire);
  }

  get #contentType(): string {
    return String(this.#upstream.headers["content-type"] ?? "");
  }

  /** Created at the first bytes of a stream. */
  get #parts(): StreamParts {
    const { maxTokens, protocol, choices } = this.#options;
    this.#made ??= {
      reader: frameReader(this.#contentType),
      cap: new OutputCap(maxTokens, protocol.limitEnding(choices)),
    };
    return this.#made;
  }

  #openWhole({ resolve, reject }: Waiter<void>): void {
    const taken = (text: string): void => {
      try {
        this.#takeWhole(text);
        resolve();
      } catch (error) {
        reject(error);
      }
    };
    this.#upstream.whole(this.#options.protocol.maxWholeBytes ?? MAX_WHOLE_BYTES, { resolve: taken, reject });
  }

  async #openStream(): Promise<void> {
    await this.#read(
      (wire) => this.#addToHead(wire),
      () => this.translator.meaningful,
    );
    if (!this.translator.meaningful && !this.translator.finishSeen) throw empty();
  }

  #addToHead(wire: string): null {
    this.#head += wire;
    if (!this.translator.meaningful && this.#head.length > MAX_HEAD_CHARACTERS)
      throw malformed("too much before the first content", true);
    return null;
  }

  async #openFolded(): Promise<void> {
    await this.#read(() => null, neverEnough);
    this.finish();
    this.#isWhole = true;
  }

  /** Reads until `isEnough` returns true or the upstream's bytes have ended. Throws: AnswerError, DialError. */
  #read(write: WriteFrames, isEnough: () => boolean): Promise<void> {
    if (this.#failed) return Promise.reject(this.#failed);
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const stop = (error: unknown): void => {
        this.#upstream.stopReading();
        if (error === null) resolve();
        else reject(error);
      };
      const take = (chunk: Buffer | null): void => {
        try {
          const wire = this.#wireOf(chunk);
          const drained = wire === "" ? null : write(wire);
          if (isEnough()) stop(null);
          else if (this.#isOver) stop(this.#failed);
          else if (drained !== null) this.#pauseUntil(drained);
        } catch (error) {
          stop(error);
        }
      };
      // After the upstream's finish reason, a connection that breaks or stays open counts as ended.
      const fail = (error: DialError): void => {
        if (this.#ended) return;
        if (this.translator.finishSeen && !this.#options.signal.aborted) take(null);
        else stop(error);
      };
      this.#upstream.read({ take, fail });
    });
  }

  /** Wire text of the next bytes, also of those before a failure. */
  #wireOf(chunk: Buffer | null): string {
    const { reader, cap } = this.#parts;
    let wire = "";
    for (const frame of chunk === null ? reader.end() : reader.push(chunk)) wire += this.#push(frame, cap);
    this.#ended ||= chunk === null || (reader.failure !== null && this.translator.finishSeen);
    const failure = this.translator.failure ?? (this.#ended ? null : reader.failure);
    if (failure) this.#failed = new AnswerError(failure);
    if (wire !== "") this.#heard = true;
    return wire;
  }

  /**
   * Nothing is left to read: the bytes have ended or failed, or the client has disconnected after a complete answer.
   */
  get #isOver(): boolean {
    if (this.#ended || this.#failed !== null) return true;
    return this.#options.signal.aborted && this.translator.meter.ended;
  }

  #pauseUntil(drained: Promise<void>): void {
    this.#upstream.pause();
    void drained.then(() => this.#upstream.resume());
  }

  #takeWhole(text: string): void {
    const body = parse(text, this.#options.protocol.parseWhole);
    if (this.#asked.clientStream) this.#head = this.translator.wholeAsStream(body);
    else this.translator.takeWhole(text, body);
    this.#isWhole = !this.#asked.clientStream;
    this.#ended = true;
    if (this.translator.failure) throw new AnswerError(this.translator.failure);
  }
}

function parse(text: string, read: (json: string) => unknown = parseExact): unknown {
  try {
    return read(text);
  } catch {
    throw malformed("the answer is not JSON");
  }
}

function empty(): AnswerError {
  return malformed("the stream ended without content");
}

function malformed(message: string, bound = false): AnswerError {
  const failure: UpstreamFailure = {
    status: null,
    type: "malformed",
    code: null,
    message,
    param: null,
    ours: true,
  };
  if (bound) failure.bound = true;
  return new AnswerError(failure);
}
