"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { callApi, isOutcomeUnknown } from "../api/client";
import { errorMessage } from "../api/error-message";
import { keyUnder } from "../api/read";
import { useMessages } from "../i18n/provider";
import { toast } from "../ui/toast";

/** The path before the operations of budgets: those of the reader, or all of an admin. */
type BudgetSpace = "/api/user" | "/api/admin";

/** Provides the space to the parts of a page; the reader's own unless said otherwise. */
export const BudgetSpaceContext = createContext<BudgetSpace>("/api/user");

/** Whose operations the parts of the page call. */
export function useBudgetSpace(): BudgetSpace {
  return useContext(BudgetSpaceContext);
}

/** The call of changes of budgets: afterwards everything that shows budgets is read again. */
export function useBudgetCall(): typeof callApi {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all(
      [keyUnder("/api/user/budgets"), keyUnder("/api/admin")].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
  return async (name, ...input) => {
    try {
      const answer = await callApi(name, ...input);
      await refresh();
      return answer;
    } catch (error) {
      if (isOutcomeUnknown(error)) void refresh();
      throw error;
    }
  };
}

/** A change of a budget, and what is said when it is done. */
interface Change {
  /** The id of the budget. */
  record: string;
  send: (call: typeof callApi) => Promise<unknown>;
  done: string;
}

/** Sends a change and says how it went, with the way back where there is one. */
export function useBudgetChange() {
  const call = useBudgetCall();
  const common = useMessages("common");
  const { changeFailed } = useMessages("budgets");
  const change = async ({ send, done, record, undo }: Change & { undo?: Omit<Change, "record"> }) => {
    try {
      await send(call);
    } catch (error) {
      toast.failed(changeFailed, errorMessage(error, common));
      return;
    }
    toast.done(done, { record, action: undo && undoing({ ...undo, record }) });
  };
  const undoing = (back: Change) => ({ label: common.undo, onClick: () => void change(back) });
  return { change: (what: Change & { undo?: Omit<Change, "record"> }) => void change(what), undoing };
}
