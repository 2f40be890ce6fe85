"use client";

import type { AuditEntry } from "../api/admin/types";
import { planName } from "../api/plan-name";
import { useShell } from "../api/shell-facts";
import { useRead } from "../api/use-read";
import { useFormat, useMessages } from "../i18n/provider";
import type { ChangeWords } from "./change-words";

/** What says the fields and values of an entry in words. */
export function useChangeWords(): (entry: Pick<AuditEntry, "names">) => ChangeWords {
  const text = useMessages("audit");
  const common = useMessages("common");
  const format = useFormat();
  const isAdmin = useShell().role !== "user";
  const plans = useRead("GET /api/admin/plans", {}, { enabled: isAdmin }).data?.data ?? [];
  return ({ names }) => ({
    text,
    format,
    yes: common.yes,
    no: common.no,
    labelled: common.labelled,
    unlimited: text.unlimited,
    names,
    planName: (id) => planName(plans, id),
  });
}
