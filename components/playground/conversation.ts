import type { Protocol } from "@/lib/protocols/protocol";
import { type Answer, noAnswer } from "./answer";
import type { Turn } from "./calls";

/** One model's answer to one message. */
export interface ModelAnswer {
  model: string;
  protocol: Protocol;
  answer: Answer;
  running: boolean;
  stopped: boolean;
  /** An ApiError, or what went wrong in the page. */
  error: unknown;
  requestId: string | null;
  /** Exact cents; null while not known. */
  cost: string | null;
  firstTokenMs: number | null;
  durationMs: number | null;
}

/** A message and the answers to it, one for each model that was asked. */
export interface Exchange {
  id: string;
  message: string;
  answers: readonly ModelAnswer[];
}

/** The traffic of one answer, which is kept while the page is open. */
export interface RawTraffic {
  request: string;
  frames: readonly string[];
  /** How many frames before these were left out. */
  dropped: number;
  stream: boolean;
}

const MAX_FRAMES = 400;

/** An answer before anything of it came. */
export function emptyAnswer(model: string, protocol: Protocol): ModelAnswer {
  return {
    model,
    protocol,
    answer: noAnswer,
    running: true,
    stopped: false,
    error: null,
    requestId: null,
    cost: null,
    firstTokenMs: null,
    durationMs: null,
  };
}

/** The turns before a new message, as a model sees them: its own answers, or the first one where it was not asked. */
export function turnsFor(model: string, exchanges: readonly Exchange[]): Turn[] {
  return exchanges.flatMap(({ message, answers }) => {
    const own = answers.find((each) => each.model === model) ?? answers[0];
    const text = own?.answer.text ?? "";
    const asked: Turn = { role: "user", text: message };
    return text === "" ? [asked] : [asked, { role: "assistant", text } satisfies Turn];
  });
}

/** Adds a frame; the oldest ones go when there are too many. */
export function withFrame(before: RawTraffic, frame: string): RawTraffic {
  const frames = [...before.frames, frame];
  const surplus = Math.max(0, frames.length - MAX_FRAMES);
  return { ...before, frames: frames.slice(surplus), dropped: before.dropped + surplus };
}
