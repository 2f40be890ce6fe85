import { modelsRead } from "@/components/api/page-reads";
import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { PlaygroundPage } from "@/components/playground/playground-page";
import { type PageProps, requireViewer } from "@/components/shell/viewer";

export const generateMetadata = titled("playground", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/playground", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("playground")}>
      <FirstData reads={[modelsRead]}>
        <PlaygroundPage />
      </FirstData>
    </MoreMessages>
  );
}
