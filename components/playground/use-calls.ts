"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { CallInput } from "@/lib/protocols/kit/call-input";
import { refreshLogs } from "../api/refresh";
import { useShell } from "../api/shell-facts";
import { askModel } from "./ask-model";
import { type AnswerStep, type CallPlace, type RawTraffic, withFrame } from "./conversation";
import { loadRaw, storeRaw } from "./stored-playground";
import { type CallLimits, readLimits, turnWaits } from "./turn-waits";

/** Makes calls at once, or as fast as the key allows, of which each is reported to its place. */
export function useCalls(
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
    await refreshLogs(client);
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
