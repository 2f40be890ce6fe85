import type { CallParameters } from "@/lib/protocols/kit/call-input";
import { protocolKits } from "@/lib/protocols/kit/kits";
import type { MessageImage, Turn } from "@/lib/protocols/kit/turn";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { type Answer, noAnswer } from "./answer";

/** One call to a model and what came of it. */
export interface AnswerStep {
  answer: Answer;
  running: boolean;
  /** Whether it has not been sent yet, because the limits of the key do not allow all calls at once. */
  waiting: boolean;
  stopped: boolean;
  /** An ApiError, or what went wrong in the page. */
  error: unknown;
  requestId: string | null;
  /** What the gateway changed of the request, by its codes. */
  warnings?: readonly string[];
  /** Exact cents; null while not known. */
  cost: string | null;
  firstTokenMs: number | null;
  durationMs: number | null;
  /** What the tools gave that were asked for, in the order of the calls; null until that is sent. */
  results: readonly string[] | null;
}

/** One model's answer to one message: a call, and another after each set of results of tools. */
export interface ModelAnswer {
  model: string;
  protocol: ClientProtocol;
  /** Whether a JSON object was asked for. */
  json?: boolean;
  /** What the model was asked with, where several were compared. */
  parameters?: CallParameters;
  steps: readonly AnswerStep[];
}

/** What somebody says to the models. */
export interface UserMessage {
  message: string;
  images: readonly MessageImage[];
}

/** A message and the answers to it, one for each model that was asked. */
export interface Exchange extends UserMessage {
  id: string;
  answers: readonly ModelAnswer[];
  /** Where the conversation goes on in several ways from here. */
  branches?: Branches | undefined;
}

/** The ways in which a conversation goes on from one place. */
export interface Branches {
  /** The one that is shown, whose place among the others is empty. */
  at: number;
  all: readonly (readonly Exchange[])[];
}

/** The traffic of one call. */
export interface RawTraffic {
  request: string;
  frames: readonly string[];
  /** How many frames before these were left out. */
  dropped: number;
  stream: boolean;
}

const MAX_FRAMES = 400;

/** A call before anything of its answer came. */
export const emptyStep: AnswerStep = {
  answer: noAnswer,
  running: true,
  waiting: false,
  stopped: false,
  error: null,
  requestId: null,
  cost: null,
  firstTokenMs: null,
  durationMs: null,
  results: null,
};

/** An answer before anything of it came. */
export function emptyAnswer(model: string, protocol: ClientProtocol, json: boolean): ModelAnswer {
  return { model, protocol, json, steps: [emptyStep] };
}

/** Whether a call is being made. */
export function isRunning({ answers }: Exchange): boolean {
  return answers.some(({ steps }) => steps.some((step) => step.running));
}

/** The reasons by which the protocols tell that an answer met its most tokens. */
const cutReasons = new Set<string | null>(Object.values(protocolKits).flatMap((kit) => kit.cutReasons));

/** Whether an answer ends where its most tokens were reached. */
export function isCut({ answer, error, stopped }: AnswerStep): boolean {
  return error === null && answer.failure === null && !stopped && cutReasons.has(answer.reason);
}

/** How an exchange has ended. */
export function outcomeOf({ answers }: Exchange): "failed" | "stopped" | "cut" | "answered" {
  const last = answers.flatMap(({ steps }) => steps.slice(-1));
  if (last.some(({ error, answer }) => error !== null || answer.failure !== null)) return "failed";
  if (last.some(({ stopped }) => stopped)) return "stopped";
  return last.some(isCut) ? "cut" : "answered";
}

/** Whether a call has ended with whole calls of tools, whose results have not been sent. */
export function awaitsResults({ answer, running, stopped, error, results }: AnswerStep): boolean {
  const whole = !running && !stopped && error === null && answer.failure === null;
  return whole && answer.toolCalls.length > 0 && results === null;
}

/** The turns before a new call, as a model sees them: its own answers, or the first one where it was not asked. */
export function turnsFor(model: string, exchanges: readonly Exchange[]): Turn[] {
  return exchanges.flatMap(({ message: text, images, answers }) => {
    const own = answers.find((each) => each.model === model) ?? answers[0];
    return [{ role: "user", text, images } satisfies Turn, ...(own?.steps ?? []).flatMap(turnsOf)];
  });
}

/** Calls of tools are left out while they have no results: protocols refuse the one without the other. */
function turnsOf({ answer: { text, toolCalls }, results }: AnswerStep): Turn[] {
  if (results === null) return text === "" ? [] : [{ role: "assistant", text, calls: [] }];
  return [
    { role: "assistant", text, calls: toolCalls },
    { role: "tool", results: toolCalls.map(({ id }, place) => ({ id, text: results[place] ?? "" })) },
  ];
}

/** The exchanges with the results of the tools that a model's last call asked for, and a new call after it. */
export function withResults(
  exchanges: readonly Exchange[],
  id: string,
  model: string,
  results: readonly string[],
): Exchange[] {
  return withAnswer(exchanges, id, model, (each) => ({
    ...each,
    steps: [
      ...each.steps.slice(0, -1),
      ...each.steps.slice(-1).map((step) => ({ ...step, results })),
      emptyStep,
    ],
  }));
}

/** The exchanges with a change of one call; one that was cleared meanwhile stays cleared. */
export function withChange(
  exchanges: readonly Exchange[],
  call: CallPlace,
  change: Partial<AnswerStep>,
): Exchange[] {
  return withAnswer(exchanges, call.id, call.model, (each) => ({
    ...each,
    steps: each.steps.map((step, place) => (place === call.step ? { ...step, ...change } : step)),
  }));
}

/** Which call of the conversation it is. */
export interface CallPlace {
  /** Of the exchange. */
  id: string;
  model: string;
  step: number;
}

function withAnswer(
  exchanges: readonly Exchange[],
  id: string,
  model: string,
  change: (answer: ModelAnswer) => ModelAnswer,
): Exchange[] {
  return exchanges.map((exchange) =>
    exchange.id === id
      ? {
          ...exchange,
          answers: exchange.answers.map((each) => (each.model === model ? change(each) : each)),
        }
      : exchange,
  );
}

/** Adds a frame; the oldest ones go when there are too many. */
export function withFrame(before: RawTraffic, frame: string): RawTraffic {
  const frames = [...before.frames, frame];
  const surplus = Math.max(0, frames.length - MAX_FRAMES);
  return { ...before, frames: frames.slice(surplus), dropped: before.dropped + surplus };
}

/** A shorter time tells no speed: nothing was streamed, or very little. */
const STREAMED_MS = 50;

/** How fast an answer came from its first token on; null where it was not streamed, or too short to tell. */
export function tokensPerSecond({ answer, firstTokenMs, durationMs }: AnswerStep): number | null {
  if (answer.outputTokens === null || durationMs === null) return null;
  const streamed = durationMs - (firstTokenMs ?? durationMs);
  return streamed < STREAMED_MS ? null : Math.round((answer.outputTokens / streamed) * 1_000);
}
