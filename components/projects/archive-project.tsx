"use client";

import { useMutation } from "@tanstack/react-query";
import { ErrorPanel } from "../api/error-panel";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { toast } from "../ui/toast";
import { useProjectCall } from "./use-project-call";

/** Archives a project after its name has been typed. */
export function ArchiveProject(props: {
  project: { id: string; name: string; keyCount: number };
  operation: "DELETE /api/user/projects/{id}" | "DELETE /api/admin/projects/{id}";
  onClose: () => void;
}) {
  const text = useMessages("projects");
  const format = useFormat();
  const call = useProjectCall();
  const { project, operation, onClose } = props;
  const { id, name, keyCount } = project;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(operation, { params: { id } }),
    onSuccess: () => {
      onClose();
      toast.done(fill(text.archived, { name }));
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => mutate()}
      title={fill(text.archiveTitle, { name })}
      typed={name}
      action={text.archiveAction}
      busy={isPending}
      error={error === null ? undefined : <ErrorPanel error={error} />}
      body={<p>{plural(text.archiveBody, keyCount, format.locale)}</p>}
    />
  );
}
