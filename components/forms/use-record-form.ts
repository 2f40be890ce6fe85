"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "@/components/api/client";
import { usePersistedDraft } from "@/components/api/persisted-draft";

export type FieldErrors = Record<string, string[]>;

/** The result of reading a draft: the body to send, or the errors by field. */
export type ReadResult<Body> = { ok: true; body: Body } | { ok: false; errors: FieldErrors };

/** The state of a form: reads the draft, sends it, shows errors; the summary gets the focus. */
export function useRecordForm<Draft extends object, Body>(options: {
  /** The name under which the draft, without its secrets, survives the end of a session. */
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
  const changed = JSON.stringify(draft) !== JSON.stringify(options.initial);
  return { draft, changed, change, errors, failure, sending, summary, submit };
}
