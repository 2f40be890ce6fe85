"use client";

import { useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleX, ExternalLink, LoaderCircle, Play } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { MINUTE_MS } from "@/lib/kernel/durations";
import { ApiError } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import { read, readKey } from "../api/read";
import { refreshUse } from "../api/refresh";
import { useShell } from "../api/shell-facts";
import type { LogEntry } from "../api/types";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { modelToTry } from "../snippets/model-to-try";
import { EmbeddingSnippetTabs, SnippetTabs } from "../snippets/snippet-tabs";
import { Button } from "../ui/button";
import { TextLink } from "../ui/link";
import { ScrollBox } from "../ui/scroll-box";
import { Note } from "../ui/states";

const POLL_MS = 2000;
const LISTENS_FOR_MS = 10 * MINUTE_MS;
/** Of the newest calls of the key; the first answered one is among them unless many fail before it. */
const LOOKED_AT = 20;

/** The first call with a new key: as code, or made in place, and the news of its arrival. */
export function FirstCallStep(props: { keyId: string; secret: string; models: string[] | null }) {
  const text = useMessages("keys").reveal;
  const { publicUrl } = useShell();
  const known = useRead("GET /api/user/models").data?.data ?? [];
  const allowed = known.filter(({ id }) => props.models?.includes(id) ?? true);
  const model = allowed.length === 0 ? (props.models?.[0] ?? "MODEL") : modelToTry(allowed);
  const kind = allowed.find(({ id }) => id === model)?.kind;
  const Snippets = kind === "embedding" ? EmbeddingSnippetTabs : SnippetTabs;
  const [refused, setRefused] = useState<string | null>(null);
  return (
    <section className="grid min-w-0 gap-3" aria-label={text.firstCall}>
      <h3 className="text-sm font-medium">{text.firstCall}</h3>
      <Snippets baseUrl={publicUrl} apiKey={props.secret} model={model} />
      {kind === "generation" && <TryInPlace {...props} model={model} onRefused={setRefused} />}
      <Arrival keyId={props.keyId} told={refused} />
    </section>
  );
}

/** Asks a model from this page, with the new key itself. */
function TryInPlace(props: {
  keyId: string;
  secret: string;
  model: string;
  /** Told the request id of a refusal that is shown here. */
  onRefused: (requestId: string | null) => void;
}) {
  const text = useMessages("keys").reveal;
  const client = useQueryClient();
  const [answer, setAnswer] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [running, setRunning] = useState(false);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  async function run() {
    if (running) return;
    const controller = new AbortController();
    abort.current = controller;
    setRunning(true);
    setFailure(null);
    try {
      const { tryCall } = await import("./try-call");
      setAnswer(await tryCall(props.secret, props.model, controller.signal));
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error);
      props.onRefused(error instanceof ApiError ? error.requestId : null);
    }
    setRunning(false);
    await Promise.all([
      client.invalidateQueries({ queryKey: readKey(read("GET /api/user/logs", callsOf(props.keyId))) }),
      refreshUse(client),
    ]);
  }
  const label = fill(text.answerOf, { model: props.model });
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button onClick={() => void run()} aria-disabled={running}>
          <Play aria-hidden className="size-4" />
          {running ? text.trying : text.tryIt}
        </Button>
        <span className="min-w-0 flex-1 basis-48 text-xs text-muted">
          {fill(text.tryHint, { model: props.model })}
        </span>
      </div>
      {failure !== null && (
        <ErrorPanel
          error={failure}
          ofModelCall
          action={
            failure instanceof ApiError &&
            failure.requestId !== null && <LogLink requestId={failure.requestId}>{text.seeWhy}</LogLink>
          }
        />
      )}
      {answer !== null && failure === null && (
        <ScrollBox label={label} className="max-h-32 rounded-md border bg-card px-3 py-2">
          <p className="text-sm wrap-anywhere whitespace-pre-wrap">{answer === "" ? text.noText : answer}</p>
        </ScrollBox>
      )}
    </div>
  );
}

const callsOf = (keyId: string) => ({ query: { tokenId: keyId, pageSize: LOOKED_AT } });

interface ArrivalState {
  /** The first answered call with the key, else the latest refused one. */
  entry: LogEntry | undefined;
  listening: boolean;
  error: Error | null;
  look: () => void;
}

/** Looks for calls with a key until one is answered: for ten minutes, and not while the page is hidden. */
function useArrival(keyId: string): ArrivalState {
  const client = useQueryClient();
  const [listening, setListening] = useState(true);
  const { data, error, refetch } = useRead("GET /api/user/logs", callsOf(keyId), {
    refetchInterval: ({ state }) => (listening && !isAnswered(entryOf(state.data?.data)) ? POLL_MS : false),
  });
  const entry = entryOf(data?.data);
  const answered = isAnswered(entry);
  useEffect(() => {
    if (!listening || answered) return;
    const timer = setTimeout(() => setListening(false), LISTENS_FOR_MS);
    return () => clearTimeout(timer);
  }, [listening, answered]);
  const newest = data?.data[0]?.requestId;
  useEffect(() => {
    if (newest !== undefined) void refreshUse(client);
  }, [newest, client]);
  function look() {
    setListening(true);
    void refetch();
  }
  return { entry, listening: listening && !answered, error, look };
}

function entryOf(newestFirst: LogEntry[] | undefined): LogEntry | undefined {
  return newestFirst?.findLast(isAnswered) ?? newestFirst?.[0];
}

const isAnswered = (entry: LogEntry | undefined) => entry?.status === "success";

/**
 * What has come of the calls with a key; a refusal that was told already is not told again. It does not get the secret,
 * which the cache of answers could hold on to.
 */
function Arrival(props: { keyId: string; told: string | null }) {
  const text = useMessages("keys").reveal;
  const { entry, listening, error, look } = useArrival(props.keyId);
  return (
    <>
      {error !== null && <ErrorPanel error={error} onRetry={look} />}
      <div role="status" className="grid gap-2">
        {entry !== undefined && isAnswered(entry) && <Answered entry={entry} />}
        {entry !== undefined && !isAnswered(entry) && entry.requestId !== props.told && (
          <Refused entry={entry} />
        )}
        {listening && error === null && (
          <p className="flex items-center gap-2 text-sm text-muted">
            <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin" />
            {entry === undefined && props.told === null ? text.waiting : text.waitingNext}
          </p>
        )}
        {!listening && !isAnswered(entry) && (
          <div className="flex flex-wrap items-center gap-3 text-sm text-muted">
            {text.nothingYet}
            <Button size="sm" onClick={look}>
              {text.lookAgain}
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

function Answered({ entry }: { entry: LogEntry }) {
  const text = useMessages("keys").reveal;
  const format = useFormat();
  return (
    <Note tone="success" icon={CircleCheck}>
      <p className="font-medium">{text.received}</p>
      <p>
        {fill(text.receivedLine, {
          model: entry.model,
          latency: format.duration(entry.latencyMs),
          cost: format.money(entry.cost),
        })}
        {format.gap}
        <LogLink requestId={entry.requestId}>{text.seeLog}</LogLink>
      </p>
    </Note>
  );
}

function Refused({ entry }: { entry: LogEntry }) {
  const text = useMessages("keys").reveal;
  const status = [entry.httpStatus, entry.errorCode].filter((part) => part !== null).join(" ");
  return (
    <Note tone="danger" icon={CircleX}>
      {fill(text.refused, { status })} <LogLink requestId={entry.requestId}>{text.seeWhy}</LogLink>
    </Note>
  );
}

/** Opens the log beside this page, which alone holds the secret. */
function LogLink(props: { requestId: string; children: ReactNode }) {
  const text = useMessages("keys").reveal;
  return (
    <TextLink href={`/console/logs?request=${props.requestId}`} target="_blank">
      {props.children}
      <ExternalLink aria-hidden className="ml-1 inline size-3.5" />
      <span className="sr-only"> ({text.newTab})</span>
    </TextLink>
  );
}
