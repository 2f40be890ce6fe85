"use client";

import { plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { TextLink } from "../../ui/link";
import { Table, Td, Th } from "../../ui/table";
import type { AdminStats } from "../types";

/** The accounts that spend most and the nodes that are called most. */
export function TopTables(props: { stats: AdminStats }) {
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <TopUsers users={props.stats.topUsers} active={props.stats.activeUsers} />
      <TopNodes nodes={props.stats.topNodes} />
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
        <Table caption={text.topUsers}>
          <thead>
            <tr>
              <Th>{text.user}</Th>
              <Th end>{text.requests}</Th>
              <Th end>{text.errors}</Th>
              <Th end>{text.cost}</Th>
            </tr>
          </thead>
          <tbody>
            {props.users.map((user) => (
              <tr key={user.userId} className="last:*:border-b-0">
                <Td className="min-w-36 wrap-anywhere">
                  <TextLink href={`/admin/logs?user=${user.userId}`}>{user.username}</TextLink>
                </Td>
                <Td end>{format.countFull(user.requestCount)}</Td>
                <Td end>{format.countFull(user.errorCount)}</Td>
                <Td end>
                  <span title={format.moneyExact(user.cost)}>{format.money(user.cost)}</span>
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}

function TopNodes(props: { nodes: AdminStats["topNodes"] }) {
  const text = useMessages("admin").overview;
  const format = useFormat();
  return (
    <Card flush title={text.topNodes}>
      {props.nodes.length === 0 ? (
        <p className="p-4 text-sm text-muted">{text.empty}</p>
      ) : (
        <Table caption={text.topNodes}>
          <thead>
            <tr>
              <Th>{text.node}</Th>
              <Th end>{text.calls}</Th>
              <Th end>{text.failures}</Th>
              <Th end>{text.latency}</Th>
              <Th end>{text.cost}</Th>
            </tr>
          </thead>
          <tbody>
            {props.nodes.map((node) => (
              <tr key={node.nodeId} className="last:*:border-b-0">
                <Td className="min-w-36 wrap-anywhere">
                  {node.node === "" ? (
                    <span className="text-muted">{text.deletedNode}</span>
                  ) : (
                    <TextLink href={`/admin/nodes?node=${node.nodeId}`}>{node.node}</TextLink>
                  )}
                </Td>
                <Td end>{format.countFull(node.attemptCount)}</Td>
                <Td end>{format.countFull(node.failureCount)}</Td>
                <Td end>{format.duration(node.averageLatencyMs)}</Td>
                <Td end>
                  <span title={format.moneyExact(node.cost)}>{format.money(node.cost)}</span>
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}
