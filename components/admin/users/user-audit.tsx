"use client";

import { useState } from "react";
import { useMessages } from "../../i18n/provider";
import { TextLink } from "../../ui/link";
import { Pager } from "../../ui/pager";
import { EmptyState } from "../../ui/states";
import { AuditDetail } from "../audit/audit-detail";
import { AuditList } from "../audit/audit-list";
import { useAudit } from "../queries";
import { QueryRegion } from "../query-region";
import type { AdminUser, AuditEntry } from "../types";
import { ROWS_PER_PAGE } from "./user-queries";

/** What the account did as an administrator, and what was done to it and its keys. */
export function UserAudit({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers").page;
  const [page, setPage] = useState(1);
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const audit = useAudit({
    accountId: user.id,
    targetType: null,
    action: null,
    targetId: null,
    from: null,
    to: null,
    page,
    pageSize: ROWS_PER_PAGE,
  });
  return (
    <QueryRegion query={audit}>
      {({ data, total }) =>
        data.length === 0 ? (
          <EmptyState title={text.noAudit} />
        ) : (
          <div className="grid gap-3">
            <p className="text-sm">
              <TextLink href={`/admin/audit?person=${user.id}`}>{text.allAudit}</TextLink>
            </p>
            <AuditList entries={data} onOpen={setOpened} />
            <Pager page={page} pageSize={ROWS_PER_PAGE} total={total} onPage={setPage} />
            {opened !== null && <AuditDetail entry={opened} onClose={() => setOpened(null)} />}
          </div>
        )
      }
    </QueryRegion>
  );
}
