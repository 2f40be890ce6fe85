import { read } from "@/components/api/read";
import { MoreMessages } from "@/components/i18n/provider";
import { ModelsPage } from "@/components/models/models-page";
import { FirstData } from "@/components/server/first-data";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const generateMetadata = titled("models", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/models", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("models", "prices")}>
      <FirstData reads={[read("GET /api/user/models")]} search={props.searchParams}>
        <ModelsPage />
      </FirstData>
    </MoreMessages>
  );
}
