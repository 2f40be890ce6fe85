import { requireReader } from "@/components/admin/require-admin";
import { MoreMessages } from "@/components/i18n/provider";
import { newestLogsReads } from "@/components/logs/log-query";
import { LogsPage } from "@/components/logs/logs-page";
import { FirstData } from "@/components/server/first-data";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { zoneOfRender } from "@/components/server/preferences";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("admin", (text) => text.logs.title);

export default async function Page(props: PageProps) {
  await requireReader("/admin/logs", props.searchParams);
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
