import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages, zoneOfRender } from "@/components/i18n/server";
import { OverviewPage } from "@/components/overview/overview-page";
import { overviewReads } from "@/components/overview/reads";
import { type PageProps, requireViewer } from "@/components/shell/viewer";

export const generateMetadata = titled("overview", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("overview", "usage", "limits", "logs")}>
      <FirstData reads={overviewReads(await zoneOfRender())} search={props.searchParams}>
        <OverviewPage />
      </FirstData>
    </MoreMessages>
  );
}
