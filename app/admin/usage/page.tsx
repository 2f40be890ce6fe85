import { requireAdmin } from "@/components/admin/require-admin";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import type { PageProps } from "@/components/shell/viewer";
import { UsagePage } from "@/components/usage/usage-page";

export const generateMetadata = titled("usage", (text) => text.allTitle);

export default async function Page(props: PageProps) {
  await requireAdmin("/admin/usage", props.searchParams);
  const messages = await pickMessages("usage", "overview", "logs");
  const { allTitle, allLead } = messages.usage;
  return (
    <MoreMessages messages={messages}>
      <UsagePage
        source={{ stats: "/api/admin/stats", logs: "/admin/logs", admin: true }}
        title={allTitle}
        lead={allLead}
      />
    </MoreMessages>
  );
}
