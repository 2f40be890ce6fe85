import { read } from "@/components/api/read";
import { BudgetsPage } from "@/components/budgets/budgets-page";
import { MoreMessages } from "@/components/i18n/provider";
import { PAGE_SIZE } from "@/components/lists/page-size";
import { FirstData } from "@/components/server/first-data";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const generateMetadata = titled("budgets", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/budgets", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("audit", "budgets", "logs")}>
      <FirstData
        reads={[read("GET /api/user/budgets", { query: { page: 1, pageSize: PAGE_SIZE } })]}
        search={props.searchParams}
      >
        <BudgetsPage />
      </FirstData>
    </MoreMessages>
  );
}
