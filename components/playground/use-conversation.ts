"use client";

import { useEffect, useRef, useState } from "react";
import { clientPaths } from "@/lib/protocols/protocol";
import { type Answer, addEvent, noAnswer, wholeAnswer } from "./answer";
import { bodyOf, type CallInput, headersOf, sendCall, type Turn } from "./calls";
import { readFrames } from "./read-frames";

const MAX_FRAMES = 400;

/** The displayed state of the running or last call. */
export interface CallState {
  running: boolean;
  answer: Answer;
  request: string;
  frames: string[];
  dropped: number;
  requestId: string | null;
  durationMs: number | null;
  stopped: boolean;
  error: unknown;
}

const idle: CallState = {
  running: false,
  answer: noAnswer,
  request: "",
  frames: [],
  dropped: 0,
  requestId: null,
  durationMs: null,
  stopped: false,
  error: null,
};

/** A conversation with a model: the turns so far and the call in flight. */
export function useConversation(getSecret: () => Promise<string>) {
  const [turns, setTurns] = useState<Turn[]>([]);
  const [state, setState] = useState<CallState>(idle);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  async function send(input: Omit<CallInput, "turns">, message: string): Promise<void> {
    const next: Turn[] = [...turns, { role: "user", text: message }];
    const body = bodyOf({ ...input, turns: next });
    const controller = new AbortController();
    abort.current = controller;
    // A call is no longer displayed after the conversation was cleared or another call began.
    const isShown = () => abort.current === controller;
    const patch = (change: (state: CallState) => Partial<CallState>) => {
      if (isShown()) setState((before) => ({ ...before, ...change(before) }));
    };
    setTurns(next);
    setState({ ...idle, running: true, request: JSON.stringify(body, null, 2) });
    const started = performance.now();
    let answer = noAnswer;
    try {
      const secret = await getSecret();
      const response = await sendCall(clientPaths[input.protocol], {
        method: "POST",
        headers: headersOf(input.protocol, secret),
        body,
        signal: controller.signal,
      });
      patch(() => ({ requestId: response.headers.get("x-request-id") }));
      answer = await receive(input, response, (latest, frame) => {
        answer = latest;
        patch((before) => ({ answer: latest, ...withFrame(before, frame) }));
      });
    } catch (error) {
      if (controller.signal.aborted) patch(() => ({ stopped: true }));
      else patch(() => ({ error }));
    }
    patch(() => ({ running: false, answer, durationMs: performance.now() - started }));
    if (answer.text !== "" && isShown()) setTurns([...next, { role: "assistant", text: answer.text }]);
  }

  return {
    turns,
    state,
    send,
    stop: () => abort.current?.abort(),
    clear: () => {
      abort.current?.abort();
      abort.current = null;
      setTurns([]);
      setState(idle);
    },
  };
}

function withFrame(before: CallState, frame: string): Pick<CallState, "frames" | "dropped"> {
  const frames = [...before.frames, frame];
  const surplus = Math.max(0, frames.length - MAX_FRAMES);
  return { frames: frames.slice(surplus), dropped: before.dropped + surplus };
}

async function receive(
  input: Omit<CallInput, "turns">,
  response: Response,
  onEvent: (answer: Answer, frame: string) => void,
): Promise<Answer> {
  if (!input.stream || response.body === null) {
    const body: unknown = await response.json();
    const answer = wholeAnswer(input.protocol, body);
    onEvent(answer, JSON.stringify(body, null, 2));
    return answer;
  }
  let answer = noAnswer;
  for await (const frame of readFrames(response.body)) {
    if (frame.data !== "[DONE]") answer = addEvent(answer, input.protocol, JSON.parse(frame.data));
    onEvent(
      answer,
      frame.event === null ? `data: ${frame.data}` : `event: ${frame.event}\ndata: ${frame.data}`,
    );
  }
  return answer;
}
