import { modelsRead } from "@/components/api/page-reads";
import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { ModelsPage } from "@/components/models/models-page";
import { type PageProps, requireViewer } from "@/components/shell/viewer";

export const generateMetadata = titled("models", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/models", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("models")}>
      <FirstData reads={[modelsRead]} search={props.searchParams}>
        <ModelsPage />
      </FirstData>
    </MoreMessages>
  );
}
