"use client";

import { useModels } from "../api/queries";
import { useMessages } from "../i18n/provider";
import { useListSource } from "../lists/list-page";
import { useShell } from "../shell/shell-context";
import { PageHeader } from "../ui/card";
import { ModelCatalog } from "./model-catalog";

/** The models of the gateway, for the signed-in account. */
export function ModelsPage() {
  const text = useMessages("models");
  const { publicUrl } = useShell();
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <ModelCatalog source={useListSource(useModels())} publicUrl={publicUrl} />
    </>
  );
}
