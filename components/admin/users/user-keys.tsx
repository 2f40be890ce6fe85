"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { AdminUser } from "../../api/admin/types";
import type { KeyRecord } from "../../api/types";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { KeyModels, KeyStatus, KeyUse, Moment } from "../../keys/key-cells";
import { List, useListSource } from "../../lists/list-page";
import { useLocalPages } from "../../lists/list-state";
import { RowMenu } from "../../lists/row-menu";
import { useKeptEdit } from "../../lists/use-creating";
import { Button } from "../../ui/button";
import type { Column } from "../../ui/columns";
import { DataTable } from "../../ui/data-table";
import { TextLink } from "../../ui/link";
import { MenuItem, MenuLink, MenuSeparator } from "../../ui/menu";
import { ConfirmedCall } from "../confirmed-call";
import { useAdminChange } from "../use-admin-change";
import { ROWS_PER_PAGE } from "./rows-per-page";

/** Loaded when somebody edits a key. */
const EditUserKey = dynamic(() => import("./edit-user-key").then((loaded) => loaded.EditUserKey), {
  loading: () => null,
});

/** The keys of the account, without their secrets; each can be edited, disabled, enabled and deleted. */
export function UserKeys({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers").page;
  const keyText = useMessages("keys");
  const pages = useLocalPages();
  const [disabling, setDisabling] = useState<KeyRecord | null>(null);
  const [edited, setEdited] = useState<KeyRecord | null>(null);
  const [doomed, setDoomed] = useState<KeyRecord | null>(null);
  const source = useListSource(
    useRead("GET /api/admin/users/{id}/tokens", {
      params: { id: user.id },
      query: { page: pages.page, pageSize: ROWS_PER_PAGE },
    }),
  );
  useKeptEdit("key of account ", source.page?.data, setEdited);
  const columns = useColumns();
  const enable = useAdminChange();
  const toggle = (key: KeyRecord) =>
    key.status === "active"
      ? setDisabling(key)
      : enable.mutate({
          send: (call) =>
            call("PATCH /api/admin/users/{id}/tokens/{tokenId}", {
              params: { id: user.id, tokenId: key.id },
              body: { status: "active" },
            }),
          done: fill(keyText.enabledToast, { name: key.name }),
        });
  return (
    <>
      <List state={pages} pageSize={ROWS_PER_PAGE} source={source} empty={text.noKeys}>
        {(keys) => (
          <>
            <p className="text-sm text-muted">{text.keysHint}</p>
            <DataTable
              caption={text.keysCaption}
              columns={columns}
              rows={keys}
              rowId={({ id }) => id}
              edit={(key) => () => setEdited(key)}
              actions={(key) => (
                <span className="inline-flex items-center gap-1">
                  <ToggleButton apiKey={key} onToggle={() => toggle(key)} />
                  <KeyMenu
                    apiKey={key}
                    user={user}
                    onEdit={() => setEdited(key)}
                    onDelete={() => setDoomed(key)}
                  />
                </span>
              )}
            />
          </>
        )}
      </List>
      {disabling !== null && (
        <DisableKeyDialog user={user} apiKey={disabling} onClose={() => setDisabling(null)} />
      )}
      {edited !== null && <EditUserKey user={user} apiKey={edited} onClose={() => setEdited(null)} />}
      {doomed !== null && <DeleteKeyDialog user={user} apiKey={doomed} onClose={() => setDoomed(null)} />}
    </>
  );
}

function useColumns(): Column<KeyRecord>[] {
  const { columns } = useMessages("keys");
  const common = useMessages("common");
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  return [
    { id: "name", head: columns.name, className: "max-w-64", cell: (key) => <KeyName apiKey={key} /> },
    { id: "status", head: columns.status, card: "plain", cell: (key) => <KeyStatus apiKey={key} /> },
    { id: "usage", head: columns.usage, card: "wide", cell: (key) => <KeyUse apiKey={key} /> },
    { id: "models", head: columns.models, from: "lg", cell: (key) => <KeyModels models={key.models} /> },
    {
      id: "plan",
      head: columns.plan,
      from: "lg",
      cell: (key) => plans.find(({ id }) => id === key.planId)?.name ?? key.planId,
    },
    {
      id: "expires",
      head: columns.expires,
      cell: (key) => <Moment iso={key.expiresAt} none={common.never} />,
    },
    {
      id: "lastUsed",
      head: columns.lastUsed,
      cell: (key) => <Moment iso={key.lastUsedAt} none={common.never} />,
    },
  ];
}

function KeyName({ apiKey }: { apiKey: KeyRecord }) {
  return (
    <div className="grid min-w-32 justify-items-start">
      <TextLink href={`/admin/logs?key=${apiKey.id}`} className="wrap-anywhere">
        {apiKey.name}
      </TextLink>
      <span className="font-mono text-xs font-normal text-muted">{apiKey.keyPrefix}…</span>
    </div>
  );
}

function ToggleButton(props: { apiKey: KeyRecord; onToggle: () => void }) {
  const text = useMessages("keys");
  const label = props.apiKey.status === "active" ? text.disable : text.enable;
  return (
    <Button size="sm" aria-label={`${label}: ${props.apiKey.name}`} onClick={props.onToggle}>
      {label}
    </Button>
  );
}

/** Its change, what was called with the key, and its end. */
function KeyMenu(props: { apiKey: KeyRecord; user: AdminUser; onEdit: () => void; onDelete: () => void }) {
  const text = useMessages("keys");
  const { page } = useMessages("adminUsers");
  const { id, name } = props.apiKey;
  return (
    <RowMenu name={name}>
      <MenuItem onClick={props.onEdit}>{text.edit}</MenuItem>
      <MenuLink href={`/admin/logs?key=${id}`}>{text.viewLogs}</MenuLink>
      <MenuLink href={`/admin/usage?user=${props.user.id}&key=${id}`}>{page.viewUsage}</MenuLink>
      <MenuSeparator />
      <MenuItem danger onClick={props.onDelete}>
        {text.deleteAction}
      </MenuItem>
    </RowMenu>
  );
}

/** Deletes a key after its name has been typed. */
function DeleteKeyDialog(props: { user: AdminUser; apiKey: KeyRecord; onClose: () => void }) {
  const text = useMessages("keys");
  const { name, id: tokenId } = props.apiKey;
  const params = { id: props.user.id, tokenId };
  return (
    <ConfirmedCall
      title={fill(text.deleteTitle, { name })}
      body={text.deleteBody}
      typed={name}
      action={text.deleteAction}
      send={(call) => call("DELETE /api/admin/users/{id}/tokens/{tokenId}", { params })}
      done={fill(text.deletedToast, { name })}
      onClose={props.onClose}
    />
  );
}

function DisableKeyDialog(props: { user: AdminUser; apiKey: KeyRecord; onClose: () => void }) {
  const text = useMessages("adminUsers").page;
  const keyText = useMessages("keys");
  const { name, id: tokenId } = props.apiKey;
  const params = { id: props.user.id, tokenId };
  const body = { status: "disabled" } as const;
  return (
    <ConfirmedCall
      title={fill(text.disableTitle, { name })}
      body={text.disableBody}
      action={keyText.disable}
      send={(call) => call("PATCH /api/admin/users/{id}/tokens/{tokenId}", { params, body })}
      done={fill(keyText.disabledToast, { name })}
      onClose={props.onClose}
    />
  );
}
