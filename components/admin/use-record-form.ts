"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { usePersistedDraft } from "@/components/api/persisted-draft";
import { ApiError } from "../api/client";

export type FieldErrors = Record<string, string[]>;

/** What reading a draft gives: the body to send, or what is wrong with which field. */
export type ReadResult<Body> = { ok: true; body: Body } | { ok: false; errors: FieldErrors };

/** The life of an admin form: read the draft, send it, show what is wrong; the summary takes the focus. */
export function useRecordForm<Draft extends object, Body>(options: {
  /** Under which the draft outlives the end of a session, without its secrets. */
  keep?: { name: string; secrets?: readonly (keyof Draft)[] };
  initial: Draft;
  read: (draft: Draft) => ReadResult<Body>;
  send: (body: Body) => Promise<void>;
}) {
  const [draft, setDraft] = useState(options.initial);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [sending, setSending] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  usePersistedDraft({
    name: options.keep?.name ?? null,
    draft,
    restore: change,
    secrets: options.keep?.secrets ?? [],
  });
  useEffect(() => {
    if (failure !== null || Object.keys(errors).length > 0) summary.current?.focus();
  }, [failure, errors]);
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (sending) return;
    const read = options.read(draft);
    setErrors(read.ok ? {} : read.errors);
    setFailure(null);
    if (!read.ok) return;
    setSending(true);
    try {
      await options.send(read.body);
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught;
      setErrors(caught.fields);
      setFailure(caught);
    } finally {
      setSending(false);
    }
  }
  function change(part: Partial<Draft>) {
    setDraft((before) => ({ ...before, ...part }));
  }
  return { draft, change, errors, failure, sending, summary, submit };
}
