import { NuqsAdapter } from "nuqs/adapters/next/app";
import { bootstrapOfRender } from "@/components/gateway/reads";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { PublicCatalog } from "@/components/models/public-catalog";
import { PageHeader } from "@/components/ui/card";

export const generateMetadata = titled("models", (text) => text.title);

export default async function Page() {
  const messages = await pickMessages("models");
  const { publicUrl, models } = await bootstrapOfRender();
  return (
    <div className="mx-auto max-w-site px-4 py-8 sm:px-6">
      <MoreMessages messages={messages}>
        <PageHeader large title={messages.models.title} lead={messages.models.publicLead} />
        <NuqsAdapter>
          <PublicCatalog models={models} publicUrl={publicUrl} />
        </NuqsAdapter>
      </MoreMessages>
    </div>
  );
}
