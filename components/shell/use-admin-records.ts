"use client";

import { Boxes, Server, User } from "lucide-react";
import { useShell } from "../api/shell-facts";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { useMessages } from "../i18n/provider";
import { hasAlmostAll } from "../search/typos";
import { useOpenPage } from "./offline";
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
  const nodes = useRead("GET /api/admin/nodes", {}, { enabled });
  const models = useRead("GET /api/admin/models", {}, { enabled });
  const { accounts, searching } = useAccountsNamed(wish?.name ?? asked.trim(), enabled);
  if (!enabled) return { found: [], asking: false };
  const records = { accounts, nodes: nodes.data?.data, models: models.data?.data };
  const found = wish === null ? pagesOf(records, asked, text, open) : tasksOf(records, wish, own, text, open);
  return { found, asking: searching || nodes.isLoading || models.isLoading };
}

type Words = Messages["shell"];
type Open = (page: string) => void;

interface AdminRecords {
  accounts: readonly {
    id: string;
    username: string;
    name: string;
    email: string;
    status: string;
    guessed: boolean;
  }[];
  nodes: readonly { id: string; name: string; enabled: boolean; managedByFile: boolean }[] | undefined;
  models:
    | readonly { id: string; alias: string; displayName: string; alsoKnownAs: readonly string[] }[]
    | undefined;
}

/** The tasks of one verb, one for each record that allows it. `own` is the admin's username. */
function tasksOf(
  { accounts, nodes }: AdminRecords,
  { verb, name: typed }: { verb: Verb; name: string },
  own: string,
  text: Words,
  open: Open,
): Command[] {
  const task = (id: string, name: string, note: string, page: string): Command => ({
    id: `${verb}-${id}`,
    label: fill(text.verbs[verb].label, { name }),
    keywords: "",
    icon: verbIcons[verb],
    note,
    run: () => open(page),
  });
  if (verb === "drain")
    return rowsNamed(nodes, typed, ({ name }) => [name])
      .filter((node) => node.enabled && !node.managedByFile)
      .map(({ id, name }) => task(id, name, text.node, `/admin/nodes?node=${id}&task=drain`));
  return accounts
    .filter(({ username, status }) => verb === "grant" || (status === "active" && username !== own))
    .map((account) => {
      const { id, username } = account;
      return task(id, username, accountNote(account, text), `/admin/users/${id}?task=${verb}`);
    });
}

/** The pages of the records that a text names. */
function pagesOf(
  { accounts, nodes, models }: AdminRecords,
  asked: string,
  text: Words,
  open: Open,
): Command[] {
  const page = (id: string, label: string, address: string) => ({
    id,
    label,
    keywords: "",
    run: () => open(address),
  });
  const namesOfModel = (model: { alias: string; displayName: string; alsoKnownAs: readonly string[] }) => [
    model.alias,
    model.displayName,
    ...model.alsoKnownAs,
  ];
  return [
    ...accounts.map((account) => ({
      ...page(`user-${account.id}`, account.username, `/admin/users/${account.id}`),
      icon: User,
      guessed: account.guessed,
      note: accountNote(account, text),
    })),
    ...rowsNamed(nodes, asked, ({ name }) => [name]).map(({ id, name, guessed }) => ({
      ...page(`node-${id}`, name, `/admin/nodes?node=${id}`),
      icon: Server,
      guessed,
      note: text.node,
    })),
    ...rowsNamed(models, asked, namesOfModel).map(({ id, alias, guessed }) => ({
      ...page(`admin-model-${id}`, alias, `/admin/models?model=${id}`),
      icon: Boxes,
      guessed,
      note: text.adminModel,
    })),
  ];
}

function accountNote({ name, email }: { name: string; email: string }, text: Words): string {
  return [text.user, name, email].filter((part) => part !== "").join(" · ");
}

/** The accounts that the server finds for a text; where it finds none, those that have almost its words. */
function useAccountsNamed(text: string, enabled: boolean) {
  const users = useRead("GET /api/admin/users", accountsNamed(text, MOST_OF_A_KIND), {
    enabled: enabled && text.length <= LONGEST_SEARCH,
  });
  const isUnknown = !users.isPlaceholderData && users.data?.data.length === 0;
  const near = useRead("GET /api/admin/users", accountsNamed(text.slice(0, BEGINNING), MOST_BEGINNING), {
    enabled: enabled && isUnknown && text.length > BEGINNING,
  });
  // Those of the text before are none of this one.
  const named = users.isPlaceholderData ? [] : (users.data?.data ?? []);
  const almost = isUnknown && !near.isPlaceholderData ? near.data?.data : [];
  const accounts = [
    ...named.map((account) => ({ ...account, guessed: false })),
    ...rowsNamed(almost, text, ({ username, name, email }) => [username, name, email]),
  ];
  return { accounts, searching: users.isFetching || near.isFetching };
}

function accountsNamed(search: string, pageSize: number) {
  return { query: { search, status: "current", sort: "lastActiveAt", order: "desc", page: 1, pageSize } };
}
