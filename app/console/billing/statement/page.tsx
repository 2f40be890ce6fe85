import { StatementPage } from "@/components/billing/statement-page";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const generateMetadata = titled("statement", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/billing/statement", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("billing", "statement")}>
      <StatementPage />
    </MoreMessages>
  );
}
