"use client";

import { LedgerTable } from "../../billing/ledger-table";
import { useMessages } from "../../i18n/provider";
import { List, useListSource } from "../../lists/list-page";
import { useLocalPages } from "../../lists/list-state";
import type { AdminUser } from "../types";
import { ROWS_PER_PAGE, useUserLedger } from "./user-queries";

/** Grants and adjustments of the account, and its charges by key and day. */
export function UserLedger({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers").page;
  const billing = useMessages("billing");
  const pages = useLocalPages();
  const source = useListSource(useUserLedger(user.id, pages.page));
  return (
    <List state={pages} pageSize={ROWS_PER_PAGE} source={source} empty={text.noLedger}>
      {(rows) => (
        <>
          <p className="text-sm text-muted">{billing.ledgerHint}</p>
          <LedgerTable rows={rows} logsPath="/admin/logs" />
        </>
      )}
    </List>
  );
}
