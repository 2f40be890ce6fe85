import { newestLogsReads } from "@/components/api/page-reads";
import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages, zoneOfRender } from "@/components/i18n/server";
import { LogsPage } from "@/components/logs/logs-page";
import { type PageProps, requireViewer } from "@/components/shell/viewer";

export const generateMetadata = titled("logs", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/logs", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("logs", "overview")}>
      <FirstData reads={newestLogsReads("/api/user/logs", await zoneOfRender())} search={props.searchParams}>
        <LogsPage source={{ logs: "/api/user/logs", admin: false }} />
      </FirstData>
    </MoreMessages>
  );
}
