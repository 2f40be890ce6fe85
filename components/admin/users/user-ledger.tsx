"use client";

import { parseAsString, parseAsStringLiteral } from "nuqs";
import type { AdminUser } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { LedgerTable } from "../../billing/ledger-table";
import { useFormat, useMessages } from "../../i18n/provider";
import { ExportLink } from "../../lists/export-link";
import { List, useListSource } from "../../lists/list-page";
import { useListState } from "../../lists/list-state";
import { ROWS_PER_PAGE } from "./rows-per-page";

const types = ["charge", "grant", "adjustment", "invite", "signup"] as const;
/** Other names than those of the days of the usage. */
const filterParsers = { type: parseAsStringLiteral(types), since: parseAsString, until: parseAsString };

/** Grants and adjustments of the account, and its charges by key and day. */
export function UserLedger({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers").page;
  const billing = useMessages("billing");
  const list = useListState(filterParsers);
  const { since: from, until: to, type } = list.url;
  const source = useListSource(
    useRead("GET /api/admin/users/{id}/grants", {
      params: { id: user.id },
      query: { type, from, to, page: list.page, tz: useFormat().timeZone, pageSize: ROWS_PER_PAGE },
    }),
  );
  return (
    <List
      state={list}
      filters={[
        { kind: "dates", from: "since", to: "until", unit: "day", labels: billing.days },
        {
          kind: "select",
          name: "type",
          label: billing.columns.type,
          options: types.map((value) => ({ value, label: billing.types[value] })),
        },
      ]}
      hasColumns
      beside={<ExportLink path={`/api/admin/users/${user.id}/grants/export`} query={{ type, from, to }} />}
      pageSize={ROWS_PER_PAGE}
      source={source}
      empty={text.noLedger}
    >
      {(rows) => (
        <>
          <p className="text-sm text-muted">{billing.ledgerHint}</p>
          <LedgerTable rows={rows} logsPath="/admin/logs" />
        </>
      )}
    </List>
  );
}
