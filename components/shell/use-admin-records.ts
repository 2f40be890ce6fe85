"use client";

import { Boxes, Server, User } from "lucide-react";
import { useAdminModels, useNodes, useUsers } from "../admin/queries";
import { useMessages } from "../i18n/provider";
import { useOpenPage } from "./offline";
import type { Command } from "./use-commands";

const MOST_OF_A_KIND = 8;
/** Longer texts are refused by the list of accounts. */
const LONGEST_SEARCH = 100;

/** The first rows that have a text in one of their names. */
export function rowsNamed<Row>(
  rows: readonly Row[] | undefined,
  text: string,
  namesOf: (row: Row) => string[],
): Row[] {
  return (rows ?? [])
    .filter((row) => namesOf(row).some((name) => name.toLowerCase().includes(text)))
    .slice(0, MOST_OF_A_KIND);
}

/** The accounts, nodes and models of the admin pages that a text names; nothing is asked for unless `enabled`. */
export function useAdminRecords(asked: string, enabled: boolean): { found: Command[]; asking: boolean } {
  const text = useMessages("shell");
  const open = useOpenPage();
  const nodes = useNodes(enabled);
  const models = useAdminModels(enabled);
  const users = useUsers(
    {
      ...{ search: asked, role: null, status: "current", planId: null, quota: null },
      ...{ sort: "lastActiveAt", order: "desc", page: 1, pageSize: MOST_OF_A_KIND },
    },
    enabled && asked.length <= LONGEST_SEARCH,
  );
  if (!enabled) return { found: [], asking: false };
  // The server searches accounts: those of the text before are none of this one.
  const accounts = users.isPlaceholderData ? [] : (users.data?.data ?? []);
  const found: Command[] = [
    ...accounts.map(({ id, username, name, email }) => ({
      ...{ id: `user-${id}`, label: username, keywords: "", icon: User },
      note: [text.user, name, email].filter((part) => part !== "").join(" · "),
      run: () => open(`/admin/users/${id}`),
    })),
    ...rowsNamed(nodes.data?.data, asked, ({ name }) => [name]).map(({ id, name }) => ({
      ...{ id: `node-${id}`, label: name, keywords: "", note: text.node, icon: Server },
      run: () => open(`/admin/nodes?node=${id}`),
    })),
    ...rowsNamed(models.data?.data, asked, (model) => [
      model.alias,
      model.displayName,
      ...model.alsoKnownAs,
    ]).map(({ id, alias }) => ({
      ...{ id: `admin-model-${id}`, label: alias, keywords: "", note: text.adminModel, icon: Boxes },
      run: () => open(`/admin/models?model=${id}`),
    })),
  ];
  return { found, asking: users.isFetching || nodes.isLoading || models.isLoading };
}
