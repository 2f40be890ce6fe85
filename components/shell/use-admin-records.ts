"use client";

import { Boxes, Server, User } from "lucide-react";
import { useAdminModels, useNodes, useUsers } from "../admin/queries";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { useOpenPage } from "./offline";
import { hasAlmostAll } from "./rank-commands";
import { useShell } from "./shell-context";
import { type Command, verbIcons } from "./use-commands";

const MOST_OF_A_KIND = 8;
/** Longer texts are refused by the list of accounts. */
const LONGEST_SEARCH = 100;
/** A name with a typing error is looked for among the accounts that have its beginning. */
const BEGINNING = 3;
const MOST_BEGINNING = 100;

/** The first rows that have a text in one of their names; where there are none, those that have almost its words. */
export function rowsNamed<Row>(
  rows: readonly Row[] | undefined,
  text: string,
  namesOf: (row: Row) => string[],
): (Row & { guessed: boolean })[] {
  const wanted = text.toLowerCase();
  const whole = (rows ?? []).filter((row) =>
    namesOf(row).some((name) => name.toLowerCase().includes(wanted)),
  );
  const almost = () =>
    (rows ?? []).filter((row) => hasAlmostAll(namesOf(row).join(" ").toLowerCase(), wanted.split(/\s+/)));
  const found = whole.length > 0 ? whole : almost();
  return found.slice(0, MOST_OF_A_KIND).map((row) => ({ ...row, guessed: whole.length === 0 }));
}

type Verb = keyof typeof verbIcons;
const verbs = ["suspend", "grant", "drain"] as const satisfies Verb[];

/** What follows on one of the words that a text may begin with, empty before it is typed; null: it begins with none. */
export function nameAfter(asked: string, words: string): string | null {
  const lower = asked.toLowerCase();
  const word = words.split(", ").find((one) => lower.startsWith(`${one} `));
  return word === undefined ? null : asked.slice(word.length).trim();
}

/** What an admin does, with which a text begins, and the name that follows; null: it begins with nothing of the kind. */
export function verbOf(
  asked: string,
  words: Readonly<Record<Verb, { words: string }>>,
): { verb: Verb; name: string } | null {
  for (const verb of verbs) {
    const name = nameAfter(asked, words[verb].words);
    if (name !== null) return { verb, name };
  }
  return null;
}

/**
 * The accounts, nodes and models of the admin pages that a text names, or what it asks to do to them; nothing is asked for
 * unless `enabled`.
 */
export function useAdminRecords(asked: string, enabled: boolean): { found: Command[]; asking: boolean } {
  const text = useMessages("shell");
  const open = useOpenPage();
  const { username: own } = useShell();
  const wish = verbOf(asked, text.verbs);
  const nodes = useNodes(enabled);
  const models = useAdminModels(enabled);
  const { accounts, searching } = useAccountsNamed(wish?.name ?? asked.trim(), enabled);
  if (!enabled) return { found: [], asking: false };
  const asking = searching || nodes.isLoading || models.isLoading;
  if (wish !== null) {
    const { verb, name: typed } = wish;
    const doing = (name: string) => ({
      ...{ label: fill(text.verbs[verb].label, { name }), keywords: "", icon: verbIcons[verb] },
    });
    const of =
      verb === "drain"
        ? rowsNamed(nodes.data?.data, typed, ({ name }) => [name])
            .filter((node) => node.enabled && !node.managedByFile)
            .map(({ id, name }) => ({
              id,
              name,
              note: text.node,
              page: `/admin/nodes?node=${id}&task=drain`,
            }))
        : accounts
            .filter(({ username, status }) => verb === "grant" || (status === "active" && username !== own))
            .map(({ id, username, name, email }) => ({
              ...{ id, name: username, page: `/admin/users/${id}?task=${verb}` },
              note: [text.user, name, email].filter((part) => part !== "").join(" · "),
            }));
    const found = of.map(({ id, name, note, page }) => ({
      ...{ ...doing(name), id: `${verb}-${id}`, note },
      run: () => open(page),
    }));
    return { found, asking };
  }
  const found: Command[] = [
    ...accounts.map(({ id, username, name, email, guessed }) => ({
      ...{ id: `user-${id}`, label: username, keywords: "", icon: User, guessed },
      note: [text.user, name, email].filter((part) => part !== "").join(" · "),
      run: () => open(`/admin/users/${id}`),
    })),
    ...rowsNamed(nodes.data?.data, asked, ({ name }) => [name]).map(({ id, name, guessed }) => ({
      ...{ id: `node-${id}`, label: name, keywords: "", note: text.node, icon: Server, guessed },
      run: () => open(`/admin/nodes?node=${id}`),
    })),
    ...rowsNamed(models.data?.data, asked, (model) => [
      model.alias,
      model.displayName,
      ...model.alsoKnownAs,
    ]).map(({ id, alias, guessed }) => ({
      ...{ id: `admin-model-${id}`, label: alias, keywords: "", note: text.adminModel, icon: Boxes, guessed },
      run: () => open(`/admin/models?model=${id}`),
    })),
  ];
  return { found, asking };
}

/** The accounts that the server finds for a text; where it finds none, those that have almost its words. */
function useAccountsNamed(text: string, enabled: boolean) {
  const users = useUsers(accountsNamed(text, MOST_OF_A_KIND), enabled && text.length <= LONGEST_SEARCH);
  const isUnknown = !users.isPlaceholderData && users.data?.data.length === 0;
  const near = useUsers(
    accountsNamed(text.slice(0, BEGINNING), MOST_BEGINNING),
    enabled && isUnknown && text.length > BEGINNING,
  );
  // Those of the text before are none of this one.
  const named = users.isPlaceholderData ? [] : (users.data?.data ?? []);
  const almost = isUnknown && !near.isPlaceholderData ? near.data?.data : [];
  const accounts = [
    ...named.map((account) => ({ ...account, guessed: false })),
    ...rowsNamed(almost, text, ({ username, name, email }) => [username, name, email]),
  ];
  return { accounts, searching: users.isFetching || near.isFetching };
}

function accountsNamed(search: string, pageSize: number): Parameters<typeof useUsers>[0] {
  return {
    ...{ search, role: null, status: "current", planId: null, quota: null },
    ...{ sort: "lastActiveAt", order: "desc", page: 1, pageSize },
  };
}
