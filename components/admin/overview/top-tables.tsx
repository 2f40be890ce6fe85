"use client";

import type { AdminStats } from "../../api/admin/types";
import { withQuery } from "../../api/client";
import { plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { DataTable } from "../../ui/data-table";
import { TextLink } from "../../ui/link";

/** The accounts that spend most and the nodes that are called most. */
export function TopTables(props: { stats: AdminStats }) {
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <TopUsers users={props.stats.topUsers} active={props.stats.activeUsers} />
      <TopNodes nodes={props.stats.topNodes} from={props.stats.from} />
    </div>
  );
}

function TopUsers(props: { users: AdminStats["topUsers"]; active: number }) {
  const text = useMessages("admin").overview;
  const format = useFormat();
  return (
    <Card
      flush
      title={text.topUsers}
      actions={
        <span className="text-sm text-muted">{plural(text.activeUsers, props.active, format.locale)}</span>
      }
    >
      {props.users.length === 0 ? (
        <p className="p-4 text-sm text-muted">{text.empty}</p>
      ) : (
        <DataTable
          opens
          flush
          caption={text.topUsers}
          rows={props.users}
          rowId={(user) => user.userId}
          columns={[
            {
              id: "user",
              head: text.user,
              className: "min-w-36 wrap-anywhere",
              cell: (user) => <TextLink href={`/admin/users/${user.userId}`}>{user.username}</TextLink>,
            },
            {
              id: "requests",
              head: text.requests,
              end: true,
              cell: (user) => format.countFull(user.requestCount),
            },
            { id: "errors", head: text.errors, end: true, cell: (user) => format.countFull(user.errorCount) },
            { id: "cost", head: text.cost, card: "corner", money: (user) => user.cost },
          ]}
        />
      )}
    </Card>
  );
}

function TopNodes(props: { nodes: AdminStats["topNodes"]; from: string }) {
  const text = useMessages("admin").overview;
  const format = useFormat();
  return (
    <Card flush title={text.topNodes} actions={<span className="text-sm text-muted">{text.attempts}</span>}>
      {props.nodes.length === 0 ? (
        <p className="p-4 text-sm text-muted">{text.empty}</p>
      ) : (
        <DataTable
          opens
          flush
          caption={text.topNodes}
          rows={props.nodes}
          rowId={(node) => node.nodeId}
          columns={[
            {
              id: "node",
              head: text.node,
              className: "min-w-36 wrap-anywhere",
              cell: (node) =>
                node.node === "" ? (
                  <span className="text-muted">{text.deletedNode}</span>
                ) : (
                  <TextLink href={`/admin/nodes?node=${node.nodeId}`}>{node.node}</TextLink>
                ),
            },
            { id: "calls", head: text.calls, end: true, cell: (node) => format.countFull(node.attemptCount) },
            {
              id: "failures",
              head: text.failures,
              end: true,
              cell: ({ nodeId, failureCount }) =>
                failureCount === 0 ? (
                  "0"
                ) : (
                  <TextLink
                    href={withQuery("/admin/logs", {
                      node: nodeId,
                      attempts: "failedAttempt",
                      from: props.from,
                    })}
                    className="inline-block min-w-6"
                  >
                    {format.countFull(failureCount)}
                  </TextLink>
                ),
            },
            {
              id: "latency",
              head: text.latency,
              end: true,
              cell: (node) => format.duration(node.averageLatencyMs),
            },
            { id: "cost", head: text.cost, card: "corner", money: (node) => node.cost },
          ]}
        />
      )}
    </Card>
  );
}
