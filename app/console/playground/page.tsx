import { read } from "@/components/api/read";
import { MoreMessages } from "@/components/i18n/provider";
import { PlaygroundPage } from "@/components/playground/playground-page";
import { FirstData } from "@/components/server/first-data";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const generateMetadata = titled("playground", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/playground", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("playground")}>
      <FirstData reads={[read("GET /api/user/models")]}>
        <PlaygroundPage />
      </FirstData>
    </MoreMessages>
  );
}
