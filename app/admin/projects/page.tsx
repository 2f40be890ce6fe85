import { ProjectsPage } from "@/components/admin/projects/projects-page";
import { requireAdmin } from "@/components/admin/require-admin";
import { read } from "@/components/api/read";
import { MoreMessages } from "@/components/i18n/provider";
import { PAGE_SIZE } from "@/components/lists/page-size";
import { FirstData } from "@/components/server/first-data";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("projects", (text) => text.adminTitle);

export default async function Page(props: PageProps) {
  await requireAdmin("/admin/projects", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("admin", "audit", "budgets", "logs", "projects")}>
      <FirstData
        reads={[read("GET /api/admin/projects", { query: { page: 1, pageSize: PAGE_SIZE } })]}
        search={props.searchParams}
      >
        <ProjectsPage />
      </FirstData>
    </MoreMessages>
  );
}
