"use client";

import { ErrorPanel } from "../api/error-panel";
import type { KeyRecord } from "../api/types";
import { useRead } from "../api/use-read";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { useDeleteKey } from "./use-key-actions";

/** Deletes a key after its name has been typed. */
export function DeleteKeyDialog(props: { apiKey: KeyRecord; onClose: () => void }) {
  const text = useMessages("keys");
  const remove = useDeleteKey(props.onClose);
  return (
    <ConfirmDialog
      open
      onClose={props.onClose}
      onConfirm={() => remove.mutate(props.apiKey)}
      title={fill(text.deleteTitle, { name: props.apiKey.name })}
      typed={props.apiKey.name}
      action={text.deleteAction}
      busy={remove.isPending}
      error={remove.error === null ? undefined : <ErrorPanel error={remove.error} />}
      body={
        <>
          <p>{text.deleteBody}</p>
          <Traffic keyId={props.apiKey.id} />
        </>
      }
    />
  );
}

function Traffic(props: { keyId: string }) {
  const text = useMessages("keys");
  const format = useFormat();
  const stats = useRead("GET /api/user/stats", {
    query: { period: "24h", tz: format.timeZone, tokenId: props.keyId },
  }).data;
  if (stats === undefined) return null;
  return <p className="font-medium">{plural(text.deleteTraffic, stats.totalRequests, format.locale)}</p>;
}
