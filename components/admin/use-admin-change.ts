"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi, isOutcomeUnknown } from "../api/client";
import { errorMessage } from "../api/error-message";
import { queryKeys } from "../api/queries";
import { useMessages } from "../i18n/provider";
import { toast } from "../ui/toast";
import { adminKeys } from "./queries";

/** Calls an operation by its name, then invalidates all cached data that it may have changed. */
export type AdminCall = typeof callApi;

/** What the console shows of models, prices, plans, the admin's own account and its keys. */
const ofConsole = [queryKeys.models, queryKeys.plans, queryKeys.self, queryKeys.keys];

/** The call for changes on the admin pages. */
export function useAdminCall(): AdminCall {
  const client = useQueryClient();
  const invalidate = () => {
    for (const queryKey of ofConsole) void client.invalidateQueries({ queryKey });
    return client.invalidateQueries({ queryKey: adminKeys.all });
  };
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

/** A change behind a button: shows its success or failure. */
export function useAdminChange(failed: string) {
  const call = useAdminCall();
  const common = useMessages("common");
  return useMutation({
    mutationFn: ({ send, done }: { send: (call: AdminCall) => Promise<unknown>; done: string }) =>
      send(call).then(() => done),
    onSuccess: (done) => toast.done(done),
    onError: (error) => toast.failed(failed, errorMessage(error, common)),
  });
}
