"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { queryKeys } from "../api/page-reads";
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
  const client = useQueryClient();
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [texts, setTexts] = useState<PlaygroundTexts>({ system: "", tools: "" });
  const raw = useRawTraffic();
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
      onRequest: (request) => raw.begin(name, request, input.stream),
      onChange: (change) => setExchanges((before) => changed(before, id, input.model, change)),
      onFrame: (frame) => raw.add(name, frame),
    });
  }

  async function send(settings: CallSettings, message: string, earlier = exchanges): Promise<void> {
    const { models, ...shared } = settings;
    const controller = new AbortController();
    abort.current = controller;
    const id = crypto.randomUUID?.() ?? String(performance.now());
    const answers = models.map((model) => emptyAnswer(model, settings.protocol));
    setExchanges([...earlier, { id, message, answers }]);
    const calls = models.map((model) =>
      ask(
        { ...shared, model, turns: [...turnsFor(model, earlier), { role: "user", text: message }] },
        id,
        controller.signal,
        models.length > 1,
      ),
    );
    await Promise.all(calls);
    // Other pages must not go on without these calls.
    await client.invalidateQueries({ queryKey: queryKeys.logs });
  }

  const { forget: forgetRaw } = raw;
  const clear = useCallback(() => {
    abort.current?.abort();
    setExchanges([]);
    forgetRaw();
    forgetPlayground();
  }, [forgetRaw]);

  return {
    exchanges,
    texts,
    setTexts,
    running,
    send,
    /** Sends the last message anew, in place of its answers. */
    sendAgain: (settings: CallSettings, message: string) => send(settings, message, exchanges.slice(0, -1)),
    dropLast: () => setExchanges(exchanges.slice(0, -1)),
    clear,
    stop: () => abort.current?.abort(),
    rawOf: (id: string, model: string) => raw.of(rawName(id, model)),
  };
}

/** The requests and frames of the answers, while the page is open. */
function useRawTraffic() {
  const [raw, setRaw] = useState<ReadonlyMap<string, RawTraffic>>(new Map());
  return {
    of: (name: string) => raw.get(name) ?? null,
    begin: (name: string, request: string, stream: boolean) =>
      setRaw((before) => new Map(before).set(name, { request, frames: [], dropped: 0, stream })),
    add: (name: string, frame: string) =>
      setRaw((before) => {
        const known = before.get(name);
        return known === undefined ? before : new Map(before).set(name, withFrame(known, frame));
      }),
    forget: useCallback(() => setRaw(new Map()), []),
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
