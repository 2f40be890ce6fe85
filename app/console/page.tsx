import { MoreMessages } from "@/components/i18n/provider";
import { OverviewPage } from "@/components/overview/overview-page";
import { overviewReads } from "@/components/overview/reads";
import { FirstData } from "@/components/server/first-data";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { zoneOfRender } from "@/components/server/preferences";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const generateMetadata = titled("overview", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("overview", "budgets", "usage", "limits", "logs")}>
      <FirstData reads={overviewReads(await zoneOfRender())} search={props.searchParams}>
        <OverviewPage />
      </FirstData>
    </MoreMessages>
  );
}
