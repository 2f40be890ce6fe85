"use client";

import { useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { type FieldValues, FormProvider, useFormState, useWatch } from "react-hook-form";
import type { ApiOutput } from "@/lib/api/routes";
import type { ApiError } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import type { Conflict } from "../changes/changed-meanwhile";
import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { useReadableErrors } from "../ui/field";
import { LayerContext } from "../ui/layer";
import { Note } from "../ui/states";
import { DiscardGuard } from "./discard-guard";
import { ShownFields } from "./fields";
import { flatErrors } from "./place-errors";
import type { RequestName } from "./request-errors";
import { type ApiForm, isEdit, loadRequestErrors, type Merge, useApiForm } from "./use-api-form";

/** Closes the form without sending it; null where it stands in a page. */
const CloseForm = createContext<(() => void) | null>(null);

interface Actions {
  submitLabel: ReactNode;
  sendingLabel?: string;
  /** Told from the moment of submitting until the answer is there. */
  onSubmitting?: (submitting: boolean) => void;
  /** Without it the form stands in a page, and its button below it. */
  onCancel?: () => void;
  danger?: boolean;
  /** Whether what is typed cannot be sent; the form says why beside its fields. */
  cannotSend?: (values: FieldValues) => boolean;
}

/** The form of a record: summary of errors, the fields, cancel and submit. The fields bind by name. */
export function RecordForm<Name extends RequestName, Draft extends FieldValues, Answer = ApiOutput<Name>>(
  props: ApiForm<Name, Draft, Answer> & Actions & { children: ReactNode },
) {
  const { form, shown, failure, isChanged, discard, submit, conflictsWith, merge } = useApiForm(props);
  const { isSubmitting } = form.formState;
  const layer = useContext(LayerContext);
  const summary = useRef<HTMLDivElement>(null);
  const { onSubmitting, onCancel } = props;
  const edits = isEdit(props) || Boolean(props.record);
  const close =
    onCancel && (() => !isSubmitting && (layer === null ? onCancel() : void layer.release().then(onCancel)));
  // Before anybody sees that it is being sent: Escape must find the dialog told.
  useLayoutEffect(() => {
    if (!isSubmitting) return;
    onSubmitting?.(true);
    return () => onSubmitting?.(false);
  }, [isSubmitting, onSubmitting]);
  return (
    <FormProvider {...form}>
      <ShownFields value={shown}>
        <form
          noValidate
          method="post" // a form that is sent before the scripts run must not put its fields into the address
          className="grid gap-4"
          onFocus={() => void loadRequestErrors()}
          onSubmit={(event) => {
            event.preventDefault();
            if (!isSubmitting) void submit(event);
          }}
        >
          <CloseForm value={close ?? null}>
            <div ref={summary} tabIndex={-1} className="empty:hidden">
              <Summary
                failure={failure}
                shown={shown}
                conflictsWith={conflictsWith}
                onMerge={(choice) => void merge(choice)}
                whole={!props.operation.startsWith("PATCH ")}
              />
            </div>
            {props.children}
            <FocusOnTrouble summary={summary} failure={failure} />
            <FormActions
              {...props}
              edits={edits}
              isChanged={isChanged}
              onDiscard={props.stays === true ? discard : null}
            />
          </CloseForm>
        </form>
      </ShownFields>
      <Unsaved isChanged={isChanged} />
    </FormProvider>
  );
}

/** Outside the form: the question has a form of its own. */
function Unsaved(props: { isChanged: (values: FieldValues) => boolean }) {
  const { isSubmitting } = useFormState();
  return <DiscardGuard unsaved={props.isChanged(useWatch())} sending={isSubmitting} />;
}

function FormActions(
  props: Actions & {
    /** It changes a record: without a change there is nothing to do. Any other form says what is missing when it is sent. */
    edits: boolean;
    isChanged: (values: FieldValues) => boolean;
    /** Takes back what is typed in a form that does not close what is around it. */
    onDiscard: (() => void) | null;
  },
) {
  const close = useContext(CloseForm);
  const common = useMessages("common");
  const { isSubmitting } = useFormState();
  const values = useWatch();
  const unchanged = props.edits && !props.isChanged(values);
  const idle = unchanged || props.cannotSend?.(values) === true;
  const submit = (
    <Button
      type="submit"
      variant={props.danger === true ? "danger" : "primary"}
      className="justify-self-start"
      disabled={isSubmitting || idle}
    >
      {isSubmitting ? (props.sendingLabel ?? common.saving) : props.submitLabel}
    </Button>
  );
  const { onDiscard } = props;
  if (close === null) return submit;
  return (
    <div className="sticky -bottom-4 -mb-4 flex flex-wrap justify-end gap-2 border-t bg-page pt-3 pb-4">
      {onDiscard === null ? (
        <Button onClick={close}>{common.cancel}</Button>
      ) : (
        <Button disabled={isSubmitting || !props.isChanged(values)} onClick={onDiscard}>
          {common.discard.action}
        </Button>
      )}
      {submit}
    </div>
  );
}

/**
 * After each refusal the focus is on the first field that has to be corrected, or on the summary where no field is at
 * fault. It stands behind the fields: folded ones unfold before it looks for them.
 */
function FocusOnTrouble(props: { summary: RefObject<HTMLElement | null>; failure: ApiError | null }) {
  const { errors, submitCount } = useFormState();
  const focused = useRef(0);
  const { summary } = props;
  const troubled = Object.keys(errors).length > 0 || props.failure !== null;
  useEffect(() => {
    if (focused.current === submitCount) return;
    focused.current = submitCount;
    if (!troubled) return;
    const field = summary.current?.closest("form")?.querySelector<HTMLElement>("[aria-invalid=true]");
    (field ?? summary.current)?.focus();
  }, [submitCount, troubled, summary]);
  return null;
}

interface Merging {
  conflictsWith: (current: object) => { conflicts: Conflict[]; hasOthers: boolean };
  onMerge: (choice: Merge) => void;
  /** All or nothing of the form is sent: a choice for each field makes no sense. */
  whole: boolean;
}

/** What has to be corrected, or why sending failed. Errors without a field of their own are listed. */
function Summary(props: { failure: ApiError | null; shown: ReadonlySet<string> } & Merging) {
  const common = useMessages("common");
  const format = useFormat();
  const { errors } = useFormState();
  const found = Object.entries(flatErrors(errors));
  const readable = useReadableErrors(null);
  const others = found.filter(([name]) => !props.shown.has(name));
  if (found.length === 0) return props.failure !== null && <Failure {...props} failure={props.failure} />;
  return (
    <Note tone="danger" role="alert">
      <p>{plural(common.errors.formSummary, found.length, format.locale)}</p>
      {others.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {others.map(([name, messages]) => (
            <li key={name} className="wrap-anywhere">
              <code className="font-mono text-xs">{name}</code> {messages.map(readable).join(" ")}
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}

/** Loaded when two people have changed one record. */
const ChangedMeanwhile = dynamic(
  () => import("../changes/changed-meanwhile").then((module) => module.ChangedMeanwhile),
  { loading: () => null },
);

/** Why sending failed. A record that somebody else has changed can be read again or overwritten, field by field. */
function Failure(props: { failure: ApiError } & Merging) {
  const client = useQueryClient();
  const text = useMessages("common").changed;
  const close = useContext(CloseForm);
  const { failure, onMerge, whole } = props;
  const { by, since, current } = failure;
  const reload = () => {
    void client.invalidateQueries();
    close?.();
  };
  if (failure.status === 404 && !whole)
    return (
      <Note tone="warning" role="alert">
        <p>{text.deleted}</p>
        <Button size="sm" className="mt-3" onClick={reload}>
          {text.reload}
        </Button>
      </Note>
    );
  if (failure.reason !== "changed_since" || by === null || since === null || current === null)
    return <ErrorPanel error={failure} />;
  return (
    <ChangedMeanwhile
      by={by}
      since={since}
      {...props.conflictsWith(current)}
      unit={"unit" in current ? current.unit : undefined}
      whole={whole}
      onSave={(theirs) => onMerge({ current, theirs })}
      onReload={reload}
    />
  );
}
