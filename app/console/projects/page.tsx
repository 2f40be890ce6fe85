import { read } from "@/components/api/read";
import { MoreMessages } from "@/components/i18n/provider";
import { PAGE_SIZE } from "@/components/lists/page-size";
import { ProjectsPage } from "@/components/projects/projects-page";
import { FirstData } from "@/components/server/first-data";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const generateMetadata = titled("projects", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/projects", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("audit", "projects")}>
      <FirstData
        reads={[read("GET /api/user/projects", { query: { page: 1, pageSize: PAGE_SIZE } })]}
        search={props.searchParams}
      >
        <ProjectsPage />
      </FirstData>
    </MoreMessages>
  );
}
