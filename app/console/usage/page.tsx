import { statsRead, usageWeek } from "@/components/api/page-reads";
import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages, zoneOfRender } from "@/components/i18n/server";
import { type PageProps, requireViewer } from "@/components/shell/viewer";
import { UsagePage } from "@/components/usage/usage-page";

export const generateMetadata = titled("usage", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/usage", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("usage", "overview")}>
      <FirstData reads={[statsRead({ ...usageWeek, tz: await zoneOfRender() })]} search={props.searchParams}>
        <UsagePage />
      </FirstData>
    </MoreMessages>
  );
}
