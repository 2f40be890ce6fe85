import { keysRead } from "@/components/api/page-reads";
import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { KeysPage } from "@/components/keys/keys-page";
import { PAGE_SIZE } from "@/components/lists/page-size";
import { type PageProps, requireViewer } from "@/components/shell/viewer";

export const generateMetadata = titled("keys", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/keys", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("keys", "usage", "limits")}>
      <FirstData reads={[keysRead(1, PAGE_SIZE)]} search={props.searchParams}>
        <KeysPage />
      </FirstData>
    </MoreMessages>
  );
}
