import { NuqsAdapter } from "nuqs/adapters/next/app";
import { MoreMessages } from "@/components/i18n/provider";
import { PublicCatalog } from "@/components/models/public-catalog";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { bootstrapOfRender } from "@/components/server/reads";
import { PageHeader } from "@/components/ui/card";

export const generateMetadata = titled("models", (text) => text.title);

export default async function Page() {
  const messages = await pickMessages("models", "prices");
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
