import { StatementPage } from "@/components/billing/statement-page";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { type PageProps, requireViewer } from "@/components/shell/viewer";

export const generateMetadata = titled("statement", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/billing/statement", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("billing", "statement")}>
      <StatementPage />
    </MoreMessages>
  );
}
