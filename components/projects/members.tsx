"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessage } from "../api/error-message";
import { QueryRegion } from "../api/query-region";
import { useShell } from "../api/shell-facts";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { RowMenu } from "../lists/row-menu";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import type { Column } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { MenuItem } from "../ui/menu";
import { toast } from "../ui/toast";
import { AddMember } from "./add-member";
import { RemoveMember } from "./remove-member";
import type { Member, MembersOf } from "./types";
import { useProjectCall } from "./use-project-call";

/** The members of a project, with what may be done with each. `onLeft`: the reader has left. */
export function Members(props: { of: MembersOf; onLeft?: () => void }) {
  const text = useMessages("projects").members;
  const { id, changes, space } = props.of;
  const members = useRead(`GET /api/${space}/projects/{id}/members`, { params: { id } });
  const [adding, setAdding] = useState(false);
  return (
    <div className="grid gap-4">
      {changes && (
        <Button variant="primary" className="w-fit" onClick={() => setAdding(true)}>
          {text.add}
        </Button>
      )}
      <QueryRegion query={members}>
        {({ data }) => (
          <>
            <MemberList members={data} {...props} />
            {data.length === 1 && <p className="text-sm text-muted">{text.onlyPayer}</p>}
          </>
        )}
      </QueryRegion>
      {adding && <AddMember of={props.of} onClose={() => setAdding(false)} />}
    </div>
  );
}

function MemberList(props: { members: Member[]; of: MembersOf; onLeft?: () => void }) {
  const text = useMessages("projects").members;
  const [removed, setRemoved] = useState<Member | null>(null);
  const { username } = useShell();
  const { of } = props;
  return (
    <>
      <DataTable
        caption={text.caption}
        columns={useMemberColumns()}
        rows={props.members}
        rowId={({ id }) => id}
        actions={(member) => {
          const isSelf = member.username === username;
          if (member.isPayer || !(of.changes || (of.leaves && isSelf))) return null;
          return <MemberMenu member={member} of={of} onRemove={() => setRemoved(member)} />;
        }}
      />
      {removed !== null && (
        <RemoveMember
          member={removed}
          of={of}
          isSelf={removed.username === username}
          onClose={() => setRemoved(null)}
          onLeft={props.onLeft}
        />
      )}
    </>
  );
}

function useMemberColumns(): Column<Member>[] {
  const text = useMessages("projects");
  const { columns, payer, payerHint, you } = text.members;
  const format = useFormat();
  const { username } = useShell();
  return [
    {
      id: "name",
      head: columns.name,
      className: "max-w-64",
      cell: (member) => (
        <div className="grid min-w-32 justify-items-start">
          <span className="wrap-anywhere">
            {member.username}
            {member.username === username && <span className="text-muted"> ({you})</span>}
          </span>
          {member.name !== "" && <span className="text-xs wrap-anywhere text-muted">{member.name}</span>}
        </div>
      ),
    },
    {
      id: "role",
      head: columns.role,
      cell: (member) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          {text.roles[member.role]}
          {member.isPayer && (
            <span title={payerHint}>
              <Badge tone="neutral">{payer}</Badge>
            </span>
          )}
        </span>
      ),
    },
    { id: "keys", head: columns.keys, end: true, cell: ({ keyCount }) => format.countFull(keyCount) },
    { id: "since", head: columns.since, cell: ({ createdAt }) => format.date(createdAt) },
  ];
}

function MemberMenu(props: { member: Member; of: MembersOf; onRemove: () => void }) {
  const text = useMessages("projects").members;
  const { username } = useShell();
  const { member, of } = props;
  const change = useChangeRole(of);
  const other = member.role === "owner" ? "member" : "owner";
  return (
    <RowMenu name={member.username}>
      {of.changes && (
        <MenuItem onClick={() => change.mutate({ member, role: other })}>
          {other === "owner" ? text.makeOwner : text.makeMember}
        </MenuItem>
      )}
      <MenuItem danger onClick={props.onRemove}>
        {member.username === username ? text.leave : text.remove}
      </MenuItem>
    </RowMenu>
  );
}

function useChangeRole({ id, space }: MembersOf) {
  const text = useMessages("projects");
  const common = useMessages("common");
  const call = useProjectCall();
  return useMutation({
    mutationFn: ({ member, role }: { member: Member; role: Member["role"] }) =>
      call(`PATCH /api/${space}/projects/{id}/members/{userId}`, {
        params: { id, userId: member.id },
        body: { role },
      }),
    onSuccess: ({ username: name, role }) =>
      toast.done(fill(text.members.changed, { name, role: text.roles[role] })),
    onError: (error) => toast.failed(text.changeFailed, errorMessage(error, common)),
  });
}
