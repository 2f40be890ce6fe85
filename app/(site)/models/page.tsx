import { bootstrapOfRender } from "@/components/gateway/reads";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { ModelCatalog } from "@/components/models/model-catalog";
import { PageHeader } from "@/components/ui/card";

export const generateMetadata = titled("models", (text) => text.title);

export default async function Page() {
  const messages = await pickMessages("models");
  const { publicUrl, models } = await bootstrapOfRender();
  return (
    <div className="mx-auto max-w-[1120px] px-4 py-10 sm:px-6">
      <MoreMessages messages={messages}>
        <PageHeader large title={messages.models.title} lead={messages.models.publicLead} />
        <ModelCatalog models={models} publicUrl={publicUrl} />
      </MoreMessages>
    </div>
  );
}
