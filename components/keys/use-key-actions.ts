"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { callApi } from "../api/client";
import { errorMessage } from "../api/error-message";
import { keyOf } from "../api/read";
import { refreshKeys } from "../api/refresh";
import type { KeyChange, KeyPage, KeyRecord } from "../api/types";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { focusMainUnlessBusy } from "../ui/focus-main";
import { toast } from "../ui/toast";

interface KeyChangeUnderWay {
  key: KeyRecord;
  input: KeyChange;
  /** These are called even when the row of the key is no longer listed. */
  onDone: () => void;
  onEnd: () => void;
}

/** Changes a key; a new status shows at once and is rolled back when the server refuses it. */
function useChangeKey() {
  const client = useQueryClient();
  const text = useMessages("keys");
  const common = useMessages("common");
  return useMutation({
    mutationFn: ({ key, input }: KeyChangeUnderWay) =>
      callApi("PATCH /api/user/tokens/{id}", { params: { id: key.id }, body: input }),
    onMutate: async ({ key, input }) => {
      const lists = { queryKey: keyOf("/api/user/tokens") };
      await client.cancelQueries(lists);
      const before = client.getQueriesData<KeyPage>(lists);
      const { status } = input;
      if (status !== undefined) {
        client.setQueriesData<KeyPage>(
          lists,
          (page) =>
            page && { ...page, data: page.data.map((row) => (row.id === key.id ? { ...row, status } : row)) },
        );
      }
      return before;
    },
    onError: (error, { key }, before) => {
      for (const [name, page] of before ?? []) client.setQueryData(name, page);
      toast.failed(fill(text.changeFailed, { name: key.name }), errorMessage(error, common));
    },
    onSuccess: (_, { onDone }) => onDone(),
    onSettled: (_answer, _error, { onEnd }) => {
      onEnd();
      return refreshKeys(client);
    },
  });
}

/** Disables or enables a key, with undo: one change at a time, and one offer to undo the latest. */
export function useToggleKey() {
  const text = useMessages("keys");
  const common = useMessages("common");
  const change = useChangeKey();
  const underWay = useRef(false);
  const withdraw = useRef(() => {});
  function toggle(key: KeyRecord, status: KeyRecord["status"], undoable = true) {
    if (underWay.current) return;
    underWay.current = true;
    withdraw.current();
    change.mutate({
      key,
      input: { status },
      onEnd: () => {
        underWay.current = false;
      },
      onDone: () => {
        const message = fill(status === "disabled" ? text.disabledToast : text.enabledToast, {
          name: key.name,
        });
        const back = status === "disabled" ? "active" : "disabled";
        withdraw.current = toast.done(message, {
          record: key.id,
          action: undoable ? { label: common.undo, onClick: () => toggle(key, back, false) } : undefined,
        });
      },
    });
  }
  return toggle;
}

/** Deletes a key; never shown before the server has done it. */
export function useDeleteKey(onDeleted: () => void) {
  const client = useQueryClient();
  const text = useMessages("keys");
  return useMutation({
    mutationFn: (key: KeyRecord) => callApi("DELETE /api/user/tokens/{id}", { params: { id: key.id } }),
    onSuccess: async (_, key) => {
      onDeleted();
      toast.forget(key.id);
      toast.done(fill(text.deletedToast, { name: key.name }));
      await refreshKeys(client);
      focusMainUnlessBusy(); // the row that opened the dialog no longer exists
    },
  });
}
