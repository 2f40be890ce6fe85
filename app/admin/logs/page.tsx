import { requireAdmin } from "@/components/admin/require-admin";
import { newestLogsReads } from "@/components/api/page-reads";
import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages, zoneOfRender } from "@/components/i18n/server";
import { LogsPage } from "@/components/logs/logs-page";
import type { PageProps } from "@/components/shell/viewer";

export const generateMetadata = titled("admin", (text) => text.logs.title);

export default async function Page(props: PageProps) {
  await requireAdmin("/admin/logs", props.searchParams);
  const messages = await pickAdminMessages("admin", "logs", "overview");
  const { title, lead } = messages.admin.logs;
  return (
    <MoreMessages messages={messages}>
      <FirstData reads={newestLogsReads("/api/admin/logs", await zoneOfRender())} search={props.searchParams}>
        <LogsPage source={{ logs: "/api/admin/logs", admin: true }} title={title} lead={lead} />
      </FirstData>
    </MoreMessages>
  );
}
