"use client";

import { useEffect, useRef, useState } from "react";
import { ApiError } from "../api/client";
import { errorMessage } from "../api/error-message";
import { useFormat, useMessages } from "../i18n/provider";
import { readCost } from "../playground/read-cost";
import { type Client, protocolOfClient } from "../snippets/snippets";
import { type ProbeContext, ProbeFailure, type ProbeId, probesOf, runProbe } from "./probes";

/** One check and how it went. */
export interface CheckRow {
  id: ProbeId;
  state: "waiting" | "running" | "passed" | "failed";
  detail: string;
  durationMs: number | null;
  cost: string | null;
}

/** Keeps below the calls a second of the smallest plan, so that the checks leave no refusals in the logs. */
const CALL_EVERY_MS = 1_100;

/** Replays a client's calls, one after the other. */
export function useVerification(client: Client, model: string, getSecret: () => Promise<string>) {
  const text = useMessages("connect");
  const common = useMessages("common");
  const format = useFormat();
  const [rows, setRows] = useState<CheckRow[]>(() => freshRows(client));
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => {
    setRows(freshRows(client));
    setFailure(null);
    return () => abort.current?.abort();
  }, [client]);
  const patch = (id: ProbeId, change: Partial<CheckRow>) =>
    setRows((before) => before.map((row) => (row.id === id ? { ...row, ...change } : row)));

  async function verify(): Promise<void> {
    const controller = new AbortController();
    abort.current = controller;
    setRows(freshRows(client));
    setFailure(null);
    setRunning(true);
    try {
      const secret = await getSecret();
      const context = {
        protocol: protocolOfClient[client],
        model,
        secret,
        signal: controller.signal,
        text,
        format,
      };
      let next = Promise.resolve();
      for (const id of probesOf(client)) {
        await next;
        if (controller.signal.aborted) break;
        patch(id, { state: "running" });
        next = new Promise((resolve) => setTimeout(resolve, CALL_EVERY_MS));
        const { refused, ...outcome } = await checked(id, context, common);
        patch(id, outcome);
        if (refused) break;
      }
    } catch (error) {
      setFailure(error);
    } finally {
      setRunning(false);
    }
  }
  return { rows, running, failure, verify };
}

/** Runs one check and tells how it went, with its cost; `refused`: no other check could go better with this key. */
async function checked(
  id: ProbeId,
  context: ProbeContext,
  common: Parameters<typeof errorMessage>[1],
): Promise<Partial<CheckRow> & { refused: boolean }> {
  const started = performance.now();
  const took = () => performance.now() - started;
  try {
    const { requestId, ...result } = await runProbe(id, context);
    const durationMs = took();
    const cost = requestId == null ? result.cost : await readCost(requestId);
    return { refused: false, state: "passed", ...result, cost, durationMs };
  } catch (error) {
    const detail = error instanceof ProbeFailure ? error.message : errorMessage(error, common);
    const refused = error instanceof ApiError && error.status === 401;
    return { refused, state: "failed", detail, durationMs: took() };
  }
}

function freshRows(client: Client): CheckRow[] {
  return probesOf(client).map((id) => ({ id, state: "waiting", detail: "", durationMs: null, cost: null }));
}
