import { read } from "@/components/api/read";
import { ConnectPage } from "@/components/connect/connect-page";
import { MoreMessages } from "@/components/i18n/provider";
import { FirstData } from "@/components/server/first-data";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const generateMetadata = titled("connect", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/connect", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("connect", "playground")}>
      <FirstData reads={[read("GET /api/user/models")]}>
        <ConnectPage />
      </FirstData>
    </MoreMessages>
  );
}
