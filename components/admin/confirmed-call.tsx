"use client";

import { useMutation } from "@tanstack/react-query";
import { ErrorPanel } from "../api/error-panel";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { toast } from "../ui/toast";
import { type AdminCall, useAdminCall } from "./use-admin-change";

/** Asks before a call, such as one that deletes: it closes when the call is done and keeps the error otherwise. */
export function ConfirmedCall(props: {
  title: string;
  body: string;
  /** What has to be typed before. */
  typed?: string;
  action: string;
  tone?: "danger" | "primary";
  send: (call: AdminCall) => Promise<unknown>;
  /** What is said when it is done. */
  done: string;
  /** The id of the record that it deletes. */
  deletes?: string;
  /** Closes it, also when it is done. */
  onClose: () => void;
  onDone?: (() => void) | undefined;
}) {
  const { send, done, deletes, onDone, ...question } = props;
  const call = useAdminCall();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(call),
    onSuccess: () => {
      props.onClose();
      onDone?.();
      if (deletes !== undefined) toast.forget(deletes);
      toast.done(done);
    },
  });
  return (
    <ConfirmDialog
      {...question}
      open
      body={<p>{props.body}</p>}
      onConfirm={() => mutate()}
      busy={isPending}
      error={error === null ? undefined : <ErrorPanel error={error} />}
    />
  );
}
