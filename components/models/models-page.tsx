"use client";

import { ErrorPanel } from "../api/error-panel";
import { useShell } from "../api/shell-facts";
import { useRead } from "../api/use-read";
import { useMessages } from "../i18n/provider";
import { useListSource } from "../lists/list-page";
import { PageHeader } from "../ui/card";
import { ModelCatalog } from "./model-catalog";

/** The models of the gateway, for the signed-in account. */
export function ModelsPage() {
  const text = useMessages("models");
  const { publicUrl } = useShell();
  const uptime = useRead("GET /api/user/models/uptime");
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      {uptime.isError && (
        <ErrorPanel className="mb-4" error={uptime.error} onRetry={() => uptime.refetch()} />
      )}
      <ModelCatalog
        source={useListSource(useRead("GET /api/user/models"))}
        publicUrl={publicUrl}
        uptime={uptime.data ?? null}
        measuring={uptime.isPending}
      />
    </>
  );
}
