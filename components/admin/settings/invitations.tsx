"use client";

import { Info } from "lucide-react";
import { useState } from "react";
import type { Invitation } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { useAsked } from "../../lists/use-creating";
import type { Column } from "../../ui/columns";
import { CopyButton } from "../../ui/copy-button";
import { TextLink } from "../../ui/link";
import { MenuItem } from "../../ui/menu";
import { Segmented } from "../../ui/segmented";
import { Note } from "../../ui/states";
import { Status } from "../../ui/status";
import { ConfirmedCall } from "../confirmed-call";
import { NewInvitation, useLinkOf } from "./new-invitation";
import { RecordCard } from "./record-card";

/** As the palette asks for a new one. */
const asked = ["invitation"] as const;

/** Those that still work, or those that are used up or expired. */
const shownStates = ["valid", "ended"] as const;
type Shown = (typeof shownStates)[number];

type Task = { kind: "create" } | { kind: "revoke"; invitation: Invitation };

/** The codes that admins have made to register with. */
export function Invitations() {
  const text = useMessages("adminSettings").invitations;
  const invitations = useRead("GET /api/admin/invitations");
  const settings = useRead("GET /api/admin/settings").data;
  const [task, setTask] = useState<Task | null>(null);
  const [shows, setShows] = useState<Shown>("valid");
  const close = () => setTask(null);
  const linkOf = useLinkOf();
  useAsked("create", asked, true, () => setTask({ kind: "create" }));
  const isClosed =
    settings !== undefined && (settings.registration === "closed" || !settings.setAtStart.allowRegistration);
  return (
    <RecordCard
      text={text}
      query={invitations}
      shows={(invitation) => (stateOf(invitation) === "valid") === (shows === "valid")}
      columns={useInvitationColumns(linkOf)}
      nameOf={nameOf}
      menu={(invitation) => (
        <MenuItem danger onClick={() => setTask({ kind: "revoke", invitation })}>
          {text.revoke}
        </MenuItem>
      )}
      note={
        <div className="grid gap-4 border-b p-4">
          {isClosed && (
            <Note tone="info" icon={Info}>
              {text.closed}
            </Note>
          )}
          <Segmented
            label={text.columns.state}
            value={shows}
            options={shownStates.map((value) => ({ value, label: text.shown[value] }))}
            onChange={setShows}
          />
        </div>
      }
      onCreate={() => setTask({ kind: "create" })}
    >
      {task?.kind === "create" && <NewInvitation onClose={close} />}
      {task?.kind === "revoke" && <RevokeInvitation invitation={task.invitation} onClose={close} />}
    </RecordCard>
  );
}

function useInvitationColumns(linkOf: (invitation: Invitation) => string): Column<Invitation>[] {
  const text = useMessages("adminSettings").invitations;
  const format = useFormat();
  const { columns } = text;
  return [
    {
      id: "note",
      head: columns.note,
      cell: ({ note }) => (note === "" ? <span className="text-muted">{text.noNote}</span> : note),
    },
    {
      id: "code",
      head: columns.code,
      cell: (invitation) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          <code className="font-mono text-xs break-all">{invitation.code}</code>
          {stateOf(invitation) === "valid" && (
            <CopyButton text={linkOf(invitation)} label={text.copy} size="sm" />
          )}
        </span>
      ),
    },
    { id: "state", head: columns.state, card: "plain", cell: (invitation) => <State of={invitation} /> },
    {
      id: "uses",
      head: columns.uses,
      cell: ({ usedCount, maxUses }) => {
        const uses = fill(text.uses, {
          used: format.countFull(usedCount),
          max: format.countFull(maxUses),
        });
        if (usedCount === 0) return uses;
        return (
          <TextLink href={`/admin/audit?targetType=invitation&action=invitation.use`} title={text.seeAudit}>
            {uses}
          </TextLink>
        );
      },
    },
    { id: "gets", head: columns.gets, cell: (invitation) => <Terms of={invitation} /> },
    {
      id: "expires",
      head: columns.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? text.never : format.dateTime(expiresAt)),
    },
  ];
}

/** The plan and the quota of the accounts that come with it, where it has its own. */
function Terms({ of: { planId, quotaCents } }: { of: Invitation }) {
  const text = useMessages("adminSettings").invitations;
  const format = useFormat();
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  if (planId === null && quotaCents === null)
    return <span className="text-muted">{text.asEveryAccount}</span>;
  const terms = [
    planId === null ? null : (plans.find(({ id }) => id === planId)?.name ?? `#${planId}`),
    quotaCents === null ? null : format.money(quotaCents),
  ];
  return terms.filter((term) => term !== null).join(" · ");
}

function State(props: { of: Invitation }) {
  const text = useMessages("adminSettings").invitations.states;
  const state = stateOf(props.of);
  return <Status tone={state === "valid" ? "normal" : "off"}>{text[state]}</Status>;
}

function stateOf({ usedCount, maxUses, expiresAt }: Invitation): "valid" | "used" | "expired" {
  if (usedCount >= maxUses) return "used";
  return expiresAt !== null && expiresAt <= new Date().toISOString() ? "expired" : "valid";
}

function nameOf({ note, code }: Invitation): string {
  return note === "" ? code : note;
}

function RevokeInvitation(props: { invitation: Invitation; onClose: () => void }) {
  const text = useMessages("adminSettings").invitations;
  const { id } = props.invitation;
  return (
    <ConfirmedCall
      title={fill(text.revokeTitle, { name: nameOf(props.invitation) })}
      body={text.revokeBody}
      action={text.revokeAction}
      send={(call) => call("DELETE /api/admin/invitations/{id}", { params: { id } })}
      done={text.revoked}
      onClose={props.onClose}
    />
  );
}
