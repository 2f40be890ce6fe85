"use client";

import type { ApiInput } from "@/lib/api/routes";
import type { AdminModel } from "../../api/admin/types";
import { useMessages } from "../../i18n/provider";
import { useInParts } from "../bulk/outcomes";
import { useAdminCall } from "../use-admin-change";

/** What several models are changed to. */
export type ModelsChange = Omit<ApiInput<"PATCH /api/admin/models">["body"], "ids">;

/** The call that changes several models. */
export function useChange() {
  const call = useAdminCall();
  const text = useMessages("adminModels").bulk;
  const { changed_since } = useMessages("common").errors.reasons;
  const inParts = useInParts({ ...text.codes, changed_since, outcome_unknown: text.unknown });
  return async (models: AdminModel[], body: ModelsChange, loaded?: object) => ({
    rows: models,
    body,
    outcomes: await inParts(
      models.map(({ id }) => id),
      (ids) => call("PATCH /api/admin/models", { body: { ...body, ids }, loaded }),
    ),
  });
}
