"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { queryKeys } from "../api/page-reads";
import { useShell } from "../shell/shell-context";
import { askModel } from "./ask-model";
import { type CallInput, jsonFields } from "./calls";
import {
  type AnswerStep,
  type CallPlace,
  type Exchange,
  emptyAnswer,
  isRunning,
  type RawTraffic,
  turnsFor,
  type UserMessage,
  withChange,
  withFrame,
  withResults,
} from "./conversation";
import { loadRaw, settled, storeRaw } from "./stored-playground";
import { type CallLimits, readLimits, turnWaits } from "./turn-waits";
import { noTexts, usePlaygroundStorage } from "./use-playground-storage";
import { ownParametersOf, type SharedSettings } from "./use-settings";

/** The settings of the next calls; each model gets the same, but for parameters of its own. */
export type CallSettings = Omit<CallInput, "turns" | "model"> & Pick<SharedSettings, "models" | "own">;

/** The conversation of this tab, which a reload keeps with the texts beside it, and the calls in flight. */
export function useConversation(getSecret: () => Promise<string>) {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [texts, setTexts] = useState(noTexts);
  const running = exchanges.some(isRunning);
  const draft = usePlaygroundStorage({ exchanges, texts, running }, (stored) => {
    setExchanges(stored.exchanges);
    setTexts({ system: stored.system, tools: stored.tools, stop: stored.stop });
  });
  const { taken, take } = useTaken(exchanges, setExchanges);
  const { ask, stop, raw } = useCalls(getSecret, running, (place, change) =>
    setExchanges((before) => withChange(before, place, change)),
  );

  function send(settings: CallSettings, message: UserMessage, earlier = exchanges): Promise<void> {
    const { models } = settings;
    const id = crypto.randomUUID?.() ?? String(performance.now());
    const json = settings.json && jsonFields[settings.protocol] !== null;
    const answers = models.map((model) => ({
      ...emptyAnswer(model, settings.protocol, json),
      ...(models.length > 1 && { parameters: ownParametersOf(settings, model) }),
    }));
    const all = [...earlier, { id, ...message, answers }];
    setExchanges(all);
    return ask(
      models.map((model) => ({
        place: { id, model, step: 0 },
        input: { ...callOf(settings, model), turns: turnsFor(model, all) },
      })),
    );
  }

  /** Sends what the tools gave that a model's answer asks for, in the protocol of that answer. */
  async function sendResults(
    settings: CallSettings,
    { id, model }: Pick<CallPlace, "id" | "model">,
    results: readonly string[],
  ): Promise<void> {
    const all = withResults(exchanges, id, model, results);
    const own = all.find((each) => each.id === id)?.answers.find((each) => each.model === model);
    if (own === undefined) return;
    setExchanges(all);
    const input = { ...callOf(settings, model), protocol: own.protocol, turns: turnsFor(model, all) };
    await ask([{ place: { id, model, step: own.steps.length - 1 }, input }]);
  }

  return {
    ...{ exchanges, texts, setTexts, running, draft, send, sendResults, stop, rawOf: raw.of },
    /** Sends the last message anew, in place of its answers. */
    sendAgain: (settings: CallSettings, message: UserMessage) =>
      send(settings, message, exchanges.slice(0, -1)),
    /** Takes the last message back, to be written anew, with the images that this page still has. */
    editLast: ({ message, images }: UserMessage) => {
      const written = draft.current();
      take("edited", {
        rest: exchanges.slice(0, -1),
        before: exchanges,
        putBack: () => draft.write(written),
      });
      draft.write({ message, images: images.filter(({ url }) => url !== null) });
    },
    /** Begins anew. */
    clear: () => {
      stop();
      take("cleared", { rest: [], before: exchanges.map(settled), putBack: raw.forget() });
    },
    /** What was taken away last; null once the conversation has gone on. */
    taken,
  };
}

/** Exchanges that were taken away, and the way back. */
export interface Taken {
  /** What was left. */
  rest: readonly Exchange[];
  act: "cleared" | "edited";
  putBack: () => void;
}

/** Takes exchanges away, and keeps the way back until the conversation goes on. */
function useTaken(
  exchanges: readonly Exchange[],
  setExchanges: (exchanges: readonly Exchange[]) => void,
): {
  taken: Taken | null;
  take: (act: Taken["act"], parts: Pick<Taken, "rest" | "putBack"> & { before: readonly Exchange[] }) => void;
} {
  const [taken, setTaken] = useState<Taken | null>(null);
  return {
    taken: taken !== null && endsAs(taken.rest, exchanges) ? taken : null,
    take: (act, { rest, before, putBack }) => {
      setExchanges(rest);
      const restore = () => {
        setExchanges(before);
        putBack();
      };
      setTaken({ act, rest, putBack: restore });
    },
  };
}

function endsAs(rest: readonly Exchange[], exchanges: readonly Exchange[]): boolean {
  return rest.length === exchanges.length && rest.at(-1)?.id === exchanges.at(-1)?.id;
}

/** The call to one of the models. */
export function callOf(settings: CallSettings, model: string): Omit<CallInput, "turns"> {
  const { models: _models, own: _own, ...shared } = settings;
  return { ...shared, ...ownParametersOf(settings, model), model };
}

/** Makes calls at once, or as fast as the key allows, of which each is reported to its place. */
function useCalls(
  getSecret: () => Promise<string>,
  running: boolean,
  onChange: (place: CallPlace, change: Partial<AnswerStep>) => void,
) {
  const client = useQueryClient();
  const raw = useRawTraffic(running);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  async function ask(calls: readonly { place: CallPlace; input: CallInput }[]): Promise<void> {
    const controller = new AbortController();
    abort.current = controller;
    const { signal } = controller;
    const together = calls.length > 1;
    const limits = together ? await limitsOf(getSecret, signal) : null;
    const waits = turnWaits(calls.length, limits);
    await Promise.all(
      calls.map(({ place, input }, position) =>
        askModel(input, {
          getSecret,
          signal,
          patient: together,
          waitMs: waits[position] ?? 0,
          onRequest: (request) => raw.begin(place, request, input.stream),
          onChange: (change) => onChange(place, change),
          onFrame: (frame) => raw.add(place, frame),
        }),
      ),
    );
    // Other pages must not go on without these calls.
    await client.invalidateQueries({ queryKey: queryKeys.logs });
  }
  return { ask, stop: () => abort.current?.abort(), raw };
}

async function limitsOf(getSecret: () => Promise<string>, signal: AbortSignal): Promise<CallLimits | null> {
  try {
    return await readLimits(await getSecret(), signal);
  } catch {
    return null; // the calls themselves say why there is no key
  }
}

/** The requests and frames of the answers, of which a reload keeps the latest. */
function useRawTraffic(running: boolean) {
  const { username } = useShell();
  const [raw, setRaw] = useState<ReadonlyMap<string, RawTraffic>>(new Map());
  const [restored, setRestored] = useState(false);
  useEffect(() => {
    setRaw(loadRaw(username));
    setRestored(true);
  }, [username]);
  useEffect(() => {
    if (restored && !running) storeRaw(username, raw);
  }, [restored, running, username, raw]);
  return {
    of: (place: CallPlace) => raw.get(nameOf(place)) ?? null,
    begin: (place: CallPlace, request: string, stream: boolean) =>
      setRaw((before) => new Map(before).set(nameOf(place), { request, frames: [], dropped: 0, stream })),
    add: (place: CallPlace, frame: string) =>
      setRaw((before) => {
        const known = before.get(nameOf(place));
        return known === undefined ? before : new Map(before).set(nameOf(place), withFrame(known, frame));
      }),
    /** The result puts them back. */
    forget: () => {
      setRaw(new Map());
      return () => setRaw((since) => new Map([...raw, ...since]));
    },
  };
}

const nameOf = ({ id, model, step }: CallPlace) => `${id} ${step} ${model}`;
