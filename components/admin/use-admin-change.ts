"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi, isOutcomeUnknown } from "../api/client";
import { errorMessage } from "../api/error-message";
import { keyOf, keyUnder } from "../api/read";
import { refreshKeys } from "../api/refresh";
import { useMessages } from "../i18n/provider";
import { toast } from "../ui/toast";

/** Calls an operation by its name, then invalidates all cached data that it may have changed. */
export type AdminCall = typeof callApi;

/** What the console shows of models, prices, plans and the admin's own account. */
const ofConsole = ["/api/user/models", "/api/user/plans", "/api/user/self"] as const;

/** Invalidates all cached data that changes of an admin may have changed. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => {
    for (const path of ofConsole) void client.invalidateQueries({ queryKey: keyOf(path) });
    void refreshKeys(client);
    return client.invalidateQueries({ queryKey: keyUnder("/api/admin") });
  };
}

/** The call for changes on the admin pages. */
export function useAdminCall(): AdminCall {
  const invalidate = useRefresh();
  return async (name, ...input) => {
    try {
      const answer = await callApi(name, ...input);
      await invalidate();
      return answer;
    } catch (error) {
      if (isOutcomeUnknown(error)) void invalidate();
      throw error;
    }
  };
}

/** A change, and what is said when it is done. */
export interface Change {
  send: (call: AdminCall) => Promise<unknown>;
  done: string;
  /** The id of what is changed. */
  record?: string;
}

/** The button of a toast that takes a change back. */
export function useUndo() {
  const call = useAdminCall();
  const common = useMessages("common");
  const { changeFailed } = useMessages("admin");
  return ({ send, done, ...of }: Change) => ({
    label: common.undo,
    onClick: () => {
      const showFailure = (error: unknown) => toast.failed(changeFailed, errorMessage(error, common));
      send(call).then(() => toast.done(done, of), showFailure);
    },
  });
}

/** A change behind a button: shows its success, with the way back where there is one, or its failure. */
export function useAdminChange() {
  const call = useAdminCall();
  const common = useMessages("common");
  const { changeFailed } = useMessages("admin");
  const undoing = useUndo();
  return useMutation({
    mutationFn: ({ send }: Change & { undo?: Change }) => send(call),
    onSuccess: (_answer, { done, undo, send: _, ...of }) => {
      toast.done(done, {
        ...of,
        action: undo && undoing({ ...of, ...undo }),
      });
    },
    onError: (error) => toast.failed(changeFailed, errorMessage(error, common)),
  });
}
