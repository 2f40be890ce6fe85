"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { useShell } from "../shell/shell-context";
import { askModel } from "./ask-model";
import type { CallInput } from "./calls";
import {
  type Exchange,
  emptyAnswer,
  type ModelAnswer,
  type RawTraffic,
  turnsFor,
  withFrame,
} from "./conversation";
import { forgetPlayground, loadPlayground, storePlayground } from "./stored-playground";

/** The settings of the next calls; each model gets the same. */
export type CallSettings = Omit<CallInput, "turns" | "model"> & { models: readonly string[] };

/** The texts beside the conversation. */
export interface PlaygroundTexts {
  system: string;
  tools: string;
}

/** The conversation of this tab, which a reload keeps, and the calls in flight. */
export function useConversation(getSecret: () => Promise<string>) {
  const { username } = useShell();
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [texts, setTexts] = useState<PlaygroundTexts>({ system: "", tools: "" });
  const [raw, setRaw] = useState<ReadonlyMap<string, RawTraffic>>(new Map());
  const abort = useRef<AbortController | null>(null);
  const running = exchanges.some(({ answers }) => answers.some((each) => each.running));
  useStorage(username, exchanges, texts, running, (stored) => {
    setExchanges(stored.exchanges);
    setTexts({ system: stored.system, tools: stored.tools });
  });
  useEffect(() => () => abort.current?.abort(), []);

  function ask(input: CallInput, id: string, signal: AbortSignal, patient: boolean): Promise<void> {
    const name = rawName(id, input.model);
    return askModel(input, {
      getSecret,
      signal,
      patient,
      onRequest: (request) =>
        setRaw((before) =>
          new Map(before).set(name, { request, frames: [], dropped: 0, stream: input.stream }),
        ),
      onChange: (change) => setExchanges((before) => changed(before, id, input.model, change)),
      onFrame: (frame) =>
        setRaw((before) => {
          const known = before.get(name);
          return known === undefined ? before : new Map(before).set(name, withFrame(known, frame));
        }),
    });
  }

  async function send(settings: CallSettings, message: string): Promise<void> {
    const { models, ...shared } = settings;
    const controller = new AbortController();
    abort.current = controller;
    const id = crypto.randomUUID?.() ?? String(performance.now());
    const answers = models.map((model) => emptyAnswer(model, settings.protocol));
    setExchanges((before) => [...before, { id, message, answers }]);
    const calls = models.map((model) =>
      ask(
        { ...shared, model, turns: [...turnsFor(model, exchanges), { role: "user", text: message }] },
        id,
        controller.signal,
        models.length > 1,
      ),
    );
    await Promise.all(calls);
  }

  const clear = useCallback(() => {
    abort.current?.abort();
    setExchanges([]);
    setRaw(new Map());
    forgetPlayground();
  }, []);

  return {
    exchanges,
    texts,
    setTexts,
    running,
    send,
    clear,
    stop: () => abort.current?.abort(),
    rawOf: (id: string, model: string) => raw.get(rawName(id, model)) ?? null,
  };
}

const rawName = (id: string, model: string) => `${id} ${model}`;

/** An exchange that was cleared meanwhile stays cleared. */
function changed(
  before: readonly Exchange[],
  id: string,
  model: string,
  change: Partial<ModelAnswer>,
): readonly Exchange[] {
  return before.map((exchange) =>
    exchange.id === id
      ? {
          ...exchange,
          answers: exchange.answers.map((each) => (each.model === model ? { ...each, ...change } : each)),
        }
      : exchange,
  );
}

/** Restores once, then stores after every change that no call is making, and when the page is left. */
function useStorage(
  username: string,
  exchanges: readonly Exchange[],
  texts: PlaygroundTexts,
  running: boolean,
  restore: (stored: { exchanges: readonly Exchange[] } & PlaygroundTexts) => void,
): void {
  const [restored, setRestored] = useState(false);
  const latest = useRef({ exchanges, texts, restore });
  useEffect(() => {
    latest.current = { exchanges, texts, restore };
  });
  useEffect(() => {
    const stored = loadPlayground(username);
    if (stored !== null) latest.current.restore(stored);
    setRestored(true);
  }, [username]);
  useEffect(() => {
    if (!restored || running) return;
    if (exchanges.length > 0 || texts.system !== "" || texts.tools !== "")
      storePlayground(username, { exchanges, ...texts });
    else forgetPlayground();
  }, [restored, running, username, exchanges, texts]);
  useEffect(() => {
    const leave = () => {
      if (latest.current.exchanges.length > 0)
        storePlayground(username, { exchanges: latest.current.exchanges, ...latest.current.texts });
    };
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, [username]);
}
