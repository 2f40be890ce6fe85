import { AdminBudgetsPage } from "@/components/admin/budgets/admin-budgets-page";
import { requireReader } from "@/components/admin/require-admin";
import { read } from "@/components/api/read";
import { MoreMessages } from "@/components/i18n/provider";
import { PAGE_SIZE } from "@/components/lists/page-size";
import { FirstData } from "@/components/server/first-data";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("budgets", (text) => text.adminTitle);

export default async function Page(props: PageProps) {
  await requireReader("/admin/budgets", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("admin", "audit", "budgets", "logs")}>
      <FirstData
        reads={[
          read("GET /api/admin/budgets", { query: { page: 1, pageSize: PAGE_SIZE } }),
          read("GET /api/admin/plans"),
        ]}
        search={props.searchParams}
      >
        <AdminBudgetsPage />
      </FirstData>
    </MoreMessages>
  );
}
