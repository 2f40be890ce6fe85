import { read } from "@/components/api/read";
import { MoreMessages } from "@/components/i18n/provider";
import { FirstData } from "@/components/server/first-data";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { zoneOfRender } from "@/components/server/preferences";
import { type PageProps, requireViewer } from "@/components/server/viewer";
import { UsagePage } from "@/components/usage/usage-page";
import { usageWeek } from "@/components/usage/usage-week";

export const generateMetadata = titled("usage", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/usage", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("usage", "overview")}>
      <FirstData
        reads={[read("GET /api/user/stats", { query: { ...usageWeek, tz: await zoneOfRender() } })]}
        search={props.searchParams}
      >
        <UsagePage />
      </FirstData>
    </MoreMessages>
  );
}
