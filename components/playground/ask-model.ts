import { bodyOf } from "@/lib/protocols/kit/call-body";
import type { CallInput } from "@/lib/protocols/kit/call-input";
import { requestOf } from "@/lib/protocols/kit/call-request";
import { ApiError } from "../api/client";
import type { Answer } from "./answer";
import { headersOf, sendCall } from "./calls";
import type { AnswerStep } from "./conversation";
import { withShortImages } from "./images";
import { AnswerReading, wholeAnswer } from "./read-answer";
import { readCost } from "./read-cost";
import { readFrames } from "./read-frames";
import { pause } from "./turn-waits";

/** Who hears of an answer as it comes. */
interface Listener {
  getSecret: () => Promise<string>;
  signal: AbortSignal;
  /** Sends again after a refusal for now, which other programs with the same key may cause. */
  patient: boolean;
  /** How long the call waits for its turn, because the limits of the key do not allow all at once. */
  waitMs: number;
  /** Told the body, with short images. */
  onRequest(request: string): void;
  onChange(change: Partial<AnswerStep>): void;
  onFrame(frame: string): void;
}

/** Makes one call and reports its answer, its failure, and at last its cost. Never rejects for a refusal. */
export async function askModel(input: CallInput, listener: Listener): Promise<void> {
  const { signal, onChange } = listener;
  const { path, body } = requestOf(input.protocol, bodyOf(input));
  const shown = requestOf(input.protocol, bodyOf({ ...input, turns: withShortImages(input.turns) }));
  listener.onRequest(JSON.stringify(shown.body, null, 2));
  let started = performance.now();
  let requestId: string | null = null;
  let firstTokenMs: number | null = null;
  try {
    if (listener.waitMs > 0) {
      onChange({ waiting: true });
      await pause(listener.waitMs, signal);
      onChange({ waiting: false });
    }
    const headers = headersOf(input.protocol, await listener.getSecret());
    const send = () => {
      // What a call waited for its turn is not the model's time.
      started = performance.now();
      return sendCall(path, { method: "POST", headers, body, signal });
    };
    const response = await (listener.patient ? patiently(send, signal) : send());
    requestId = response.headers.get("x-request-id");
    onChange({ requestId, warnings: warningsOf(response) });
    const onAnswer = (answer: Answer) => {
      if (answer.text !== "" || answer.reasoning !== "") firstTokenMs ??= performance.now() - started;
      onChange({ answer, firstTokenMs });
    };
    await receive(input, response, onAnswer, listener.onFrame);
  } catch (error) {
    onChange(signal.aborted ? { stopped: true } : { error });
  }
  onChange({ running: false, durationMs: performance.now() - started });
  if (requestId !== null) onChange({ cost: await readCost(requestId) });
}

/** What the gateway changed of a request. Source: docs/protocols.md#g6. */
function warningsOf({ headers }: Response): string[] {
  const codes = headers.get("x-tollgate-warnings") ?? "";
  return codes.split(",").flatMap((code) => code.trim() || []);
}

const MAX_TRIES = 4;
const LONGEST_WAIT_SECONDS = 3;

/** Sends again after a refusal for now that ends soon. */
async function patiently(send: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : null;
      if (seconds === null || seconds > LONGEST_WAIT_SECONDS || tries === MAX_TRIES) throw error;
      await pause(seconds * 1_000, signal);
    }
  }
}

/** Reads an answer and tells each state of it; what it came in is shown as it came. */
async function receive(
  { protocol, stream }: CallInput,
  response: Response,
  onAnswer: (answer: Answer) => void,
  onFrame: (frame: string) => void,
): Promise<void> {
  if (!stream || response.body === null) {
    const body: unknown = await response.json();
    onFrame(JSON.stringify(body, null, 2));
    onAnswer(wholeAnswer(protocol, body));
    return;
  }
  const reading = new AnswerReading(protocol);
  for await (const frame of readFrames(response.body)) {
    onAnswer(reading.frame(frame));
    onFrame(frame.event === null ? `data: ${frame.data}` : `event: ${frame.event}\ndata: ${frame.data}`);
  }
  onAnswer(reading.end());
}
