import { BillingPage } from "@/components/billing/billing-page";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const generateMetadata = titled("billing", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/billing", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("billing")}>
      <BillingPage />
    </MoreMessages>
  );
}
