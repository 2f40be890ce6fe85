import { modelsRead } from "@/components/api/page-reads";
import { ConnectPage } from "@/components/connect/connect-page";
import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { type PageProps, requireViewer } from "@/components/shell/viewer";

export const generateMetadata = titled("connect", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/connect", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("connect", "playground")}>
      <FirstData reads={[modelsRead]}>
        <ConnectPage />
      </FirstData>
    </MoreMessages>
  );
}
