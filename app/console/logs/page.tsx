import { MoreMessages } from "@/components/i18n/provider";
import { newestLogsReads } from "@/components/logs/log-query";
import { LogsPage } from "@/components/logs/logs-page";
import { FirstData } from "@/components/server/first-data";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { zoneOfRender } from "@/components/server/preferences";
import { type PageProps, requireViewer } from "@/components/server/viewer";

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
