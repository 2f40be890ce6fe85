"use client";

import { useMutation } from "@tanstack/react-query";
import { toast } from "../ui/toast";
import { type AdminCall, useAdminCall } from "./use-admin-change";

/**
 * A call behind a confirmation: the dialog closes when it is done and keeps the error otherwise. `deleted` is the id of
 * the record that it deletes.
 */
export function useConfirmedCall(done: string, onDone: () => void, deleted?: string) {
  const call = useAdminCall();
  return useMutation({
    mutationFn: (send: (call: AdminCall) => Promise<unknown>) => send(call),
    onSuccess: () => {
      onDone();
      if (deleted !== undefined) toast.forget(deleted);
      toast.done(done);
    },
  });
}
