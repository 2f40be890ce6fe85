import { keysRead, PAGE_SIZE } from "@/components/api/page-reads";
import { MoreMessages } from "@/components/i18n/provider";
import { KeysPage } from "@/components/keys/keys-page";
import { FirstData } from "@/components/server/first-data";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { type PageProps, requireViewer } from "@/components/server/viewer";

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
