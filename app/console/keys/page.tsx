import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { KeysPage } from "@/components/keys/keys-page";
import { type PageProps, requireViewer } from "@/components/shell/viewer";

export const generateMetadata = titled("keys", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/keys", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("keys", "usage", "limits")}>
      <KeysPage />
    </MoreMessages>
  );
}
