"use client";

import { useState } from "react";
import type { AdminUser } from "../../api/admin/types";
import { withQuery } from "../../api/client";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { useMessages } from "../../i18n/provider";
import type { LogRow } from "../../logs/log-rows";
import { LogTable } from "../../logs/log-table";
import { TextLink } from "../../ui/link";
import { Segmented } from "../../ui/segmented";
import { EmptyState } from "../../ui/states";
import { ROWS_PER_PAGE } from "./rows-per-page";

/** The newest requests of the account, or those that failed or were refused; each opens in the log of all accounts. */
export function UserRequests({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers").page;
  const [which, setWhich] = useState<"newest" | "failed" | "refused">("newest");
  const outcome = which === "newest" ? null : which;
  const requests = useRead("GET /api/admin/logs", {
    query: { userId: user.id, outcome, pageSize: ROWS_PER_PAGE },
  });
  const logs = { user: user.id, outcome };
  const nothing = { newest: text.noneYet, failed: text.noFailures, refused: text.noRefusals };
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segmented
          label={text.requests}
          value={which}
          onChange={setWhich}
          options={[
            { value: "newest", label: text.newest },
            { value: "failed", label: text.failures },
            { value: "refused", label: text.refusals },
          ]}
        />
        <TextLink href={withQuery("/admin/logs", logs)}>{text.allRequests}</TextLink>
      </div>
      <QueryRegion query={requests} keepsOther>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={nothing[which]} />
          ) : (
            <LogTable
              rows={data.map(withoutAccount)}
              hrefOf={(request) => withQuery("/admin/logs", { ...logs, request })}
            />
          )
        }
      </QueryRegion>
    </div>
  );
}

/** All rows are of one account, so that its name says nothing. */
function withoutAccount<Row extends LogRow>({ username: _, ...row }: Row): LogRow {
  return row;
}
