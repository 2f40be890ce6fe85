"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, callApi } from "../api/client";
import { errorMessage } from "../api/error-message";
import { keyOf } from "../api/read";
import type { LoginRecord } from "../api/types";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { focusMainUnlessBusy } from "../ui/focus-main";
import { toast } from "../ui/toast";
import { clientName } from "./client-name";

/** The largest page; all tokens are on it, because they come first. */
const PAGE_SIZE = 100;

/** The sign-ins of the account and its tokens for scripts. */
export function useLogins() {
  return useRead("GET /api/user/logins", { query: { pageSize: PAGE_SIZE } });
}

/** What a sign-in or a token is called: its name, or the browser and system that it comes from. */
export function useLoginName(): (login: LoginRecord) => string {
  const text = useMessages("settings").logins;
  return ({ name, client }) => {
    if (name !== null) return name;
    const { program, system } = clientName(client);
    if (program === null) return text.unknownClient;
    return system === null ? program : fill(text.clientOn, { program, system });
  };
}

/** Ends a sign-in or revokes a token. One that has ended meanwhile is as it should be. */
export function useEndLogin() {
  const text = useMessages("settings").logins;
  const common = useMessages("common");
  const client = useQueryClient();
  const nameOf = useLoginName();
  return useMutation({
    mutationFn: async ({ id }: LoginRecord) => {
      try {
        await callApi("DELETE /api/user/logins/{id}", { params: { id } });
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "NOT_FOUND")) throw error;
      }
    },
    onSuccess: (_, login) => {
      const done = login.kind === "token" ? text.revoked : text.ended;
      toast.done(fill(done, { name: nameOf(login) }), { record: login.id });
    },
    onError: (error, login) =>
      toast.failed(fill(text.endFailed, { name: nameOf(login) }), errorMessage(error, common)),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: keyOf("/api/user/logins") });
      focusMainUnlessBusy();
    },
  });
}
