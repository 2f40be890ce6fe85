"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../api/client";
import { errorMessage } from "../api/error-message";
import { useMessages } from "../i18n/provider";
import { toast } from "../ui/toast";
import { adminKeys } from "./queries";

/** One call that changes something. */
export interface AdminCall {
  method: "POST" | "PATCH" | "DELETE";
  path: string;
  body?: unknown;
}

/** Sends a change and invalidates all cached admin data. */
export function useAdminCall() {
  const client = useQueryClient();
  return async <T = void>(call: AdminCall): Promise<T> => {
    const answer = await callApi<T>(call.path, {
      method: call.method,
      ...(call.body === undefined ? {} : { body: call.body }),
    });
    await client.invalidateQueries({ queryKey: adminKeys.all });
    return answer;
  };
}

/** A change behind a button: shows its success or failure. */
export function useAdminChange(failed: string) {
  const call = useAdminCall();
  const common = useMessages("common");
  return useMutation({
    mutationFn: ({ done, ...rest }: AdminCall & { done: string }) => call(rest).then(() => done),
    onSuccess: (done) => toast.done(done),
    onError: (error) => toast.failed(failed, errorMessage(error, common)),
  });
}
