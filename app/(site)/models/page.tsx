import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { ModelCatalog } from "@/components/models/model-catalog";
import { publicModels } from "@/components/site/public-models";
import { PageHeader } from "@/components/ui/card";
import { runtime } from "@/lib/gateway/runtime";

export const generateMetadata = titled("models", (text) => text.title);

export default async function Page() {
  const messages = await pickMessages("models");
  return (
    <div className="mx-auto max-w-[1120px] px-4 py-10 sm:px-6">
      <MoreMessages messages={messages}>
        <PageHeader title={messages.models.title} lead={messages.models.publicLead} />
        <ModelCatalog models={publicModels()} publicUrl={runtime().settings.publicUrl} />
      </MoreMessages>
    </div>
  );
}
