"use client";

import { useState } from "react";
import { LedgerTable } from "../../billing/ledger-table";
import { useMessages } from "../../i18n/provider";
import { Pager } from "../../ui/pager";
import { EmptyState } from "../../ui/states";
import { QueryRegion } from "../query-region";
import type { AdminUser } from "../types";
import { ROWS_PER_PAGE, useUserLedger } from "./user-queries";

/** Grants and adjustments of the account, and its charges by key and day. */
export function UserLedger({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers").page;
  const billing = useMessages("billing");
  const [page, setPage] = useState(1);
  const ledger = useUserLedger(user.id, page);
  return (
    <QueryRegion query={ledger}>
      {({ data, total }) =>
        data.length === 0 ? (
          <EmptyState title={text.noLedger} />
        ) : (
          <div className="grid gap-3">
            <p className="text-sm text-muted">{billing.ledgerHint}</p>
            <LedgerTable rows={data} logsPath="/admin/logs" />
            <Pager page={page} pageSize={ROWS_PER_PAGE} total={total} onPage={setPage} />
          </div>
        )
      }
    </QueryRegion>
  );
}
