"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorPanel } from "../api/error-panel";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { Segmented } from "../ui/segmented";
import { toast } from "../ui/toast";
import type { Member, MembersOf } from "./types";
import { useProjectCall } from "./use-project-call";

const choices = ["disable", "keep"] as const;

/** Asks before a member is removed, and what becomes of its keys; or before the reader leaves. */
export function RemoveMember(props: {
  member: Member;
  of: MembersOf;
  isSelf: boolean;
  onClose: () => void;
  onLeft?: (() => void) | undefined;
}) {
  const text = useMessages("projects").members;
  const format = useFormat();
  const call = useProjectCall();
  const [keys, setKeys] = useState<(typeof choices)[number]>("disable");
  const { member, of, isSelf, onClose } = props;
  const { username: name, keyCount } = member;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call(`DELETE /api/${of.space}/projects/{id}/members/{userId}`, {
        params: { id: of.id, userId: member.id },
        query: { keys },
      }),
    onSuccess: () => {
      onClose();
      if (isSelf) props.onLeft?.();
      toast.done(isSelf ? fill(text.left, { name: of.name }) : fill(text.removed, { name }));
    },
  });
  const asks = of.changes && !isSelf && keyCount > 0;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => mutate()}
      title={isSelf ? fill(text.leaveTitle, { name: of.name }) : fill(text.removeTitle, { name })}
      action={isSelf ? text.leave : text.remove}
      busy={isPending}
      error={error === null ? undefined : <ErrorPanel error={error} />}
      body={
        <>
          <p>{isSelf ? text.leaveBody : fill(plural(text.removeBody, keyCount, format.locale), { name })}</p>
          {asks && (
            <Segmented
              label={text.keys}
              value={keys}
              onChange={setKeys}
              options={choices.map((value) => ({ value, label: text.keysChoices[value] }))}
            />
          )}
        </>
      }
    />
  );
}
