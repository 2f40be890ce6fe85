import { read } from "@/components/api/read";
import { MoreMessages } from "@/components/i18n/provider";
import { KeysPage } from "@/components/keys/keys-page";
import { PAGE_SIZE } from "@/components/lists/page-size";
import { FirstData } from "@/components/server/first-data";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const generateMetadata = titled("keys", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/keys", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("keys", "budgets", "usage", "limits")}>
      <FirstData
        reads={[read("GET /api/user/tokens", { query: { page: 1, pageSize: PAGE_SIZE } })]}
        search={props.searchParams}
      >
        <KeysPage />
      </FirstData>
    </MoreMessages>
  );
}
