"use client";

import { ErrorPanel } from "../api/error-panel";
import { useModels } from "../api/queries";
import { useMessages } from "../i18n/provider";
import { useShell } from "../shell/shell-context";
import { PageHeader } from "../ui/card";
import { SkeletonRows } from "../ui/states";
import { ModelCatalog } from "./model-catalog";

/** The models of the gateway, for the signed-in account. */
export function ModelsPage() {
  const text = useMessages("models");
  const common = useMessages("common");
  const { publicUrl } = useShell();
  const models = useModels();
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      {models.isError && <ErrorPanel error={models.error} onRetry={() => models.refetch()} />}
      {models.isPending && <SkeletonRows label={common.loading} rows={6} height="h-14" />}
      {models.data !== undefined && <ModelCatalog models={models.data.data} publicUrl={publicUrl} />}
    </>
  );
}
