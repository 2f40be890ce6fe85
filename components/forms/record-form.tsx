"use client";

import { type ReactNode, useContext, useEffect, useLayoutEffect, useRef } from "react";
import { type FieldValues, FormProvider, useFormState, useWatch } from "react-hook-form";
import type { ApiError } from "@/components/api/client";
import { ErrorPanel } from "@/components/api/error-panel";
import { plural } from "@/components/i18n/fill";
import { useFormat, useMessages } from "@/components/i18n/provider";
import { Button } from "@/components/ui/button";
import { LayerContext } from "@/components/ui/layer";
import { Note } from "@/components/ui/states";
import type { ApiOutput } from "@/lib/api/routes";
import { DiscardGuard } from "./discard-guard";
import { ShownFields } from "./fields";
import { flatErrors } from "./place-errors";
import type { RequestName } from "./request-errors";
import { type ApiForm, loadRequestErrors, useApiForm } from "./use-api-form";

interface Actions {
  submitLabel: ReactNode;
  sendingLabel?: string;
  /** Told from the moment of submitting until the answer is there. */
  onSubmitting?: (submitting: boolean) => void;
  /** Without it the form stands in a page, and its button below it. */
  onCancel?: () => void;
  danger?: boolean;
  /** Whether a form without changes can be sent; one that changes a record cannot. */
  sendsUnchanged?: boolean;
}

/** The form of a record: summary of errors, the fields, cancel and submit. The fields bind by name. */
export function RecordForm<Name extends RequestName, Draft extends FieldValues, Answer = ApiOutput<Name>>(
  props: ApiForm<Name, Draft, Answer> & Actions & { children: ReactNode },
) {
  const { form, shown, failure, isChanged, submit } = useApiForm(props);
  const { isSubmitting } = form.formState;
  const { onSubmitting } = props;
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
          <Summary failure={failure} shown={shown} />
          {props.children}
          <FormActions {...props} isChanged={isChanged} />
        </form>
      </ShownFields>
      <Unsaved isChanged={isChanged} />
    </FormProvider>
  );
}

/** Outside the form: the question has a form of its own. */
function Unsaved(props: { isChanged: (values: FieldValues) => boolean }) {
  return <DiscardGuard unsaved={props.isChanged(useWatch())} />;
}

function FormActions(props: Actions & { isChanged: (values: FieldValues) => boolean }) {
  const layer = useContext(LayerContext);
  const common = useMessages("common");
  const { isSubmitting } = useFormState();
  const idle = !props.isChanged(useWatch()) && props.sendsUnchanged !== true;
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
  const { onCancel } = props;
  if (onCancel === undefined) return submit;
  const cancel = () => (layer === null ? onCancel() : void layer.release().then(onCancel));
  return (
    <div className="sticky -bottom-4 -mb-4 flex flex-wrap justify-end gap-2 border-t bg-page pt-3 pb-4">
      <Button onClick={cancel}>{common.cancel}</Button>
      {submit}
    </div>
  );
}

/** What has to be corrected, or why sending failed; it gets the focus. Errors without a field of their own are listed. */
function Summary(props: { failure: ApiError | null; shown: ReadonlySet<string> }) {
  const common = useMessages("common");
  const format = useFormat();
  const { errors, submitCount } = useFormState();
  const box = useRef<HTMLDivElement>(null);
  const focused = useRef(0);
  const found = Object.entries(flatErrors(errors));
  const troubled = found.length > 0 || props.failure !== null;
  useEffect(() => {
    if (focused.current === submitCount) return;
    focused.current = submitCount;
    if (troubled) box.current?.focus();
  }, [submitCount, troubled]);
  const others = found.filter(([name]) => !props.shown.has(name));
  return (
    <div ref={box} tabIndex={-1} className="empty:hidden">
      {found.length > 0 ? (
        <Note tone="danger" role="alert">
          <p>{plural(common.errors.formSummary, found.length, format.locale)}</p>
          {others.length > 0 && (
            <ul className="mt-1 list-disc pl-4">
              {others.map(([name, messages]) => (
                <li key={name} className="wrap-anywhere">
                  <code className="font-mono text-xs">{name}</code> {messages.join(" ")}
                </li>
              ))}
            </ul>
          )}
        </Note>
      ) : (
        props.failure !== null && <ErrorPanel error={props.failure} />
      )}
    </div>
  );
}
