"use client";

import { useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type FieldValues, useForm } from "react-hook-form";
import type { ApiInput } from "@/lib/api/routes";
import { isObject } from "@/lib/kernel/json-object";
import { ApiError, callApi, type InputArguments } from "../api/client";
import { usePersistedDraft } from "../api/persisted-draft";
import type { Conflict } from "../changes/changed-meanwhile";
import { LayerContext } from "../ui/layer";
import { placeErrors, toFormErrors } from "./place-errors";
import type { RequestName } from "./request-errors";

/** What a form is made of. */
export interface ApiForm<Name extends RequestName, Draft, Answer> {
  /** What is sent: a PATCH sends the members that have changed, and null for those that were emptied. */
  operation: Name;
  /** A PATCH that does something to a record, and edits none: all its members are sent, and it can be sent at any time. */
  acts?: boolean;
  params?: Record<string, string | number>;
  /**
   * What was loaded: what somebody else has changed of it since is not overwritten. A PATCH says what it had loaded of
   * the members that it changes, any other operation all of it.
   */
  record?: object | null;
  /** How it is sent; `callApi` unless said otherwise. */
  call?: typeof callApi;
  /** Sends a body in place of one call of the operation. */
  send?: (body: ApiInput<Name>["body"]) => Promise<Answer>;
  /** The fields as people type them, under the names of the API. */
  initial: Draft;
  /** The fields as the API takes them; what cannot be read stays as typed, so that the schema refuses it. */
  toBody: (draft: Draft) => object;
  /** Asked before a valid draft is sent; false: it is not. */
  confirm?: (draft: Draft) => boolean | Promise<boolean>;
  /** The dialog or drawer around stays open after the answer, as it may have other forms; nor does the form close it. */
  stays?: boolean;
  /** After the answer; may throw ApiError. */
  onSent: (answer: Answer) => unknown;
  /** The name under which the draft, without its secrets, survives the end of a session. */
  keep?: { name: string; secrets?: readonly (keyof Draft)[] };
}

/** How a change of somebody else and one's own are put together: theirs of these members, one's own of the others. */
export interface Merge {
  current: object;
  theirs: readonly string[];
}

/** The state of a form that sends one operation, checked by the operation's own schema. */
export function useApiForm<Name extends RequestName, Draft extends FieldValues, Answer>(
  options: ApiForm<Name, Draft, Answer>,
) {
  const { operation } = options;
  const layer = useContext(LayerContext);
  const [initial, setInitial] = useState(options.initial);
  const [record, setRecord] = useState(options.record);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [shown] = useState(() => new Set<string>());
  const form = useForm<FieldValues>({
    defaultValues: initial,
    shouldFocusError: false,
    resolver: async (values) => {
      const errorsOf = await loadRequestErrors();
      const found = errorsOf?.(operation, bodyOf(values)) ?? {};
      if (Object.keys(found).length === 0) return { values, errors: {} };
      return { values: {}, errors: toFormErrors(placeErrors(found, shown)) };
    },
  });
  usePersistedDraft<FieldValues>({
    name: options.keep?.name ?? null,
    draft: () => form.getValues(),
    restore: (kept) => form.reset({ ...form.getValues(), ...kept }, { keepDefaultValues: true }),
    secrets: options.keep?.secrets?.map(String) ?? [],
  });
  function bodyOf(values: FieldValues): object {
    // The values begin as a draft, and its fields change them one by one.
    const body = options.toBody(values as Draft);
    return isEdit(options) ? changesOf(body, options.toBody(initial)) : body;
  }
  const afterMerge = useAfterMerge(options, (newest) => {
    setInitial(newest.initial);
    setRecord(newest.record);
    form.reset(newest.initial);
  });
  async function send(values: FieldValues, merge: Merge | null) {
    setFailure(null);
    if ((await options.confirm?.(values as Draft)) === false) return;
    try {
      const answer = await answerTo(options, record, { body: bodyOf(values), merge });
      if (options.stays !== true) await layer?.release();
      await options.onSent(answer);
      setInitial(values as Draft);
      if (merge !== null && merge.theirs.length > 0) afterMerge();
      if (record && isObject(answer)) setRecord({ ...record, ...pick(answer, Object.keys(record)) });
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught;
      const placed = Object.entries(placeErrors(caught.fields, shown));
      for (const [name, messages] of placed)
        form.setError(name, { type: "api", message: messages.join("\n") });
      if (placed.length === 0) setFailure(caught);
    } finally {
      layer?.resume();
    }
  }
  const isChanged = (values: FieldValues) =>
    Object.keys(changesOf(options.toBody(values as Draft), options.toBody(initial))).length > 0;
  const sent = (merge: Merge | null) =>
    form.handleSubmit(
      (values) => send(values, merge),
      () => setFailure(null),
    );
  function discard() {
    setFailure(null);
    form.reset(initial);
  }
  const conflictsWith = (current: object) => conflictsOf(bodyOf(form.getValues()), record ?? {}, current);
  const merge = (choice: Merge) => sent(choice)();
  return { form, shown, failure, isChanged, discard, submit: sent(null), conflictsWith, merge };
}

/** Whether it sends what has changed of a record. */
export function isEdit({ operation, acts }: { operation: RequestName; acts?: boolean | undefined }): boolean {
  return operation.startsWith("PATCH ") && acts !== true;
}

/** Sends a body that the schema has accepted, without the members that are kept as somebody else has them. */
async function answerTo<Name extends RequestName, Draft, Answer>(
  { operation, params, call = callApi, send }: ApiForm<Name, Draft, Answer>,
  record: object | null | undefined,
  sent: { body: object; merge: Merge | null },
): Promise<Answer> {
  const { merge } = sent;
  const body = omit(sent.body, merge?.theirs ?? []);
  // The schema of this operation has accepted the body, and the form gives the parameters of its path.
  if (send !== undefined) return send(body as ApiInput<Name>["body"]);
  const known = merge === null ? record : { ...record, ...pick(merge.current, Object.keys(record ?? {})) };
  const loaded = record && known ? loadedOf(operation, known, body) : undefined;
  const input = [{ params, body, loaded }] as unknown as InputArguments<Name>;
  // Without `send` the answer is that of the operation.
  return (await call(operation, ...input)) as Answer;
}

/** After members of somebody else were kept, the form shows the record as it was read after the answer. */
function useAfterMerge<Newest extends { initial: object; record?: object | null }>(
  newest: Newest,
  show: (newest: Newest) => void,
): () => void {
  const latest = useRef({ newest, show });
  const [merged, setMerged] = useState(0);
  useLayoutEffect(() => {
    latest.current = { newest, show };
  });
  useEffect(() => {
    if (merged > 0) latest.current.show(latest.current.newest);
  }, [merged]);
  return () => setMerged((times) => times + 1);
}

/**
 * The members of a body whose stored values differ from those that were loaded, all that differ where none was loaded, and
 * whether the body has others.
 */
function conflictsOf(body: object, loaded: object, current: object) {
  const before = new Map<string, unknown>(Object.entries(loaded));
  const now = new Map<string, unknown>(Object.entries(current));
  const differs = (name: string) => JSON.stringify(now.get(name)) !== JSON.stringify(before.get(name));
  const conflicts = Object.entries(body)
    .filter(([name]) => now.has(name) && differs(name))
    .map(([name, mine]): Conflict => ({ name, theirs: now.get(name), mine }));
  return { conflicts, hasOthers: Object.keys(body).length > conflicts.length };
}

function omit(body: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** What was loaded of what the operation changes. */
function loadedOf(operation: RequestName, record: object, body: object): object {
  return operation.startsWith("PATCH ") ? pick(record, Object.keys(body)) : record;
}

/** The members of a record under these names, as far as it has them. */
function pick(record: object, names: string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

/** Loads the schemas; null when they cannot be loaded: then the server alone checks the form. */
export function loadRequestErrors() {
  return import("./request-errors").then(
    (module) => module.requestErrors,
    () => null,
  );
}

/** The members of a body that differ from another one. */
export function changesOf(body: object, before: object): Record<string, unknown> {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(body).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)),
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, value ?? null]));
}
