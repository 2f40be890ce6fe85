"use client";

import type { AuditEntry } from "../api/admin/types";
import { planName } from "../api/plan-name";
import { useRead } from "../api/use-read";
import { useFormat, useMessages } from "../i18n/provider";
import type { ChangeWords } from "./change-words";

/** What says the fields and values of an entry in words. */
export function useChangeWords(): (entry: Pick<AuditEntry, "names">) => ChangeWords {
  const admin = useMessages("admin");
  const common = useMessages("common");
  const format = useFormat();
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  return ({ names }) => ({
    text: admin.audit,
    format,
    yes: common.yes,
    no: common.no,
    labelled: common.labelled,
    unlimited: admin.plans.unlimited,
    names,
    planName: (id) => planName(plans, id),
  });
}
