"use client";

import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { momentsOfDays } from "@/lib/shared/zoned-time";
import { ErrorPanel } from "../../api/error-panel";
import { useRead } from "../../api/use-read";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { ExportLink } from "../../lists/export-link";
import type { Filter } from "../../lists/filters";
import { ListPage, useListSource } from "../../lists/list-page";
import { type ListState, useListState } from "../../lists/list-state";
import { PAGE_SIZE } from "../../lists/page-size";
import { AccountFilter } from "../../logs/account-filter";
import { AuditDetail } from "./audit-detail";
import { AuditList } from "./audit-list";

const targetTypes = [
  ...(["node", "model", "price", "plan", "user", "key"] as const),
  ...(["setting", "announcement", "invitation", "project"] as const),
];

const filterParsers = {
  q: parseAsString,
  person: parseAsString,
  targetType: parseAsStringLiteral(targetTypes),
  action: parseAsString,
  from: parseAsString,
  to: parseAsString,
};

/** Who changed what. */
export function AuditPage() {
  const text = useMessages("audit");
  const format = useFormat();
  const list = useListState(filterParsers);
  const [entry, setEntry] = useQueryState("entry", parseAsString);
  const [batch, setBatch] = useQueryState("batch", parseAsString);
  const { person: accountId, q: search, action, ...others } = list.url;
  // The days of the reader, as the times beside them are the reader's.
  const filter = {
    accountId,
    search,
    ...actionFilter(action),
    ...others,
    ...momentsOfDays(others, format.timeZone),
    targetId: null,
  };
  const audit = useRead("GET /api/admin/audit", {
    query: { ...filter, grouped: "true", page: list.page, pageSize: PAGE_SIZE },
  });
  const members = useRead(
    "GET /api/admin/audit",
    { query: { ...filter, batchId: batch, page: 1, pageSize: MOST_IN_BATCH } },
    { enabled: batch !== null },
  );
  const ofBatch = members.data?.data.filter(({ batchId }) => batchId === batch) ?? [];
  const opened = [...(audit.data?.data ?? []), ...ofBatch].find(({ id }) => id === entry);
  return (
    <>
      <ListPage
        title={text.title}
        lead={text.lead}
        actions={<ExportLink path="/api/admin/audit/export" query={filter} />}
        state={list}
        filters={useAuditFilters(list)}
        source={useListSource(audit)}
        notice={members.isError && <ErrorPanel error={members.error} onRetry={() => members.refetch()} />}
        empty={text.empty}
      >
        {(entries) => (
          <AuditList
            entries={entries}
            onOpen={({ id }) => setEntry(id)}
            batch={{ open: batch, entries: ofBatch, onOpen: setBatch }}
          />
        )}
      </ListPage>
      {opened !== undefined && <AuditDetail entry={opened} onClose={() => setEntry(null)} />}
    </>
  );
}

/** The server changes no more accounts at once. */
const MOST_IN_BATCH = 100;

/** In the address: changes of accounts that rows name by the new status. */
const turns = { "user.update.suspended": "suspended", "user.update.active": "active" } as const;

/** What the API is asked for: a suspension is a change of an account with a new status. */
function actionFilter(chosen: string | null) {
  const [, newStatus] = Object.entries(turns).find(([value]) => value === chosen) ?? [];
  return newStatus === undefined ? { action: chosen, newStatus: null } : { action: null, newStatus };
}

/** The kind of target of an action; members are changes of their project. */
function targetOf(action: string): string {
  const [kind = ""] = action.split(".");
  return kind === "member" ? "project" : kind;
}

/** The actions on one kind of target, or all, as rows name them. */
function actionsOf(targetType: string | null, text: Messages["audit"]) {
  return Object.entries(text.actions)
    .flatMap(([action, label]) =>
      action === "user.update"
        ? [
            [action, label] as const,
            ...Object.entries(turns).map(([value, turn]) => [value, text.statusTurns[turn]] as const),
          ]
        : [[action, label] as const],
    )
    .filter(([action]) => targetType === null || targetOf(action) === targetType)
    .map(([value, label]) => ({ value, label }));
}

function useAuditFilters(list: ListState<typeof filterParsers>): Filter<keyof typeof filterParsers>[] {
  const text = useMessages("audit");
  return [
    { kind: "search", name: "q", label: text.search },
    {
      kind: "other",
      name: "person",
      element: <AccountFilter account={list.url.person} onAccount={(person) => list.set({ person })} />,
    },
    { kind: "dates", from: "from", to: "to", unit: "day", labels: { from: text.from, to: text.to } },
    {
      kind: "select",
      name: "targetType",
      label: text.targetType,
      options: targetTypes.map((value) => ({ value, label: text.targetTypes[value] })),
      clears: "action",
    },
    {
      kind: "select",
      name: "action",
      label: text.action,
      options: actionsOf(list.url.targetType, text),
    },
  ];
}
