"use client";

import { useState } from "react";
import type { AdminUser, AuditEntry } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { useMessages } from "../../i18n/provider";
import { List, useListSource } from "../../lists/list-page";
import { useLocalPages } from "../../lists/list-state";
import { TextLink } from "../../ui/link";
import { AuditDetail } from "../audit/audit-detail";
import { AuditList } from "../audit/audit-list";
import { ROWS_PER_PAGE } from "./rows-per-page";

/** What the account did as an administrator, and what was done to it and its keys. */
export function UserAudit({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers").page;
  const pages = useLocalPages();
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const audit = useRead("GET /api/admin/audit", {
    query: { accountId: user.id, page: pages.page, pageSize: ROWS_PER_PAGE },
  });
  return (
    <>
      <List state={pages} pageSize={ROWS_PER_PAGE} source={useListSource(audit)} empty={text.noAudit}>
        {(entries) => (
          <>
            <p className="text-sm">
              <TextLink href={`/admin/audit?person=${user.id}`}>{text.allAudit}</TextLink>
            </p>
            <AuditList entries={entries} onOpen={setOpened} />
          </>
        )}
      </List>
      {opened !== null && <AuditDetail entry={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
