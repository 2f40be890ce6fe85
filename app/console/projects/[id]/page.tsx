import { MoreMessages } from "@/components/i18n/provider";
import { ProjectPage } from "@/components/projects/project-page";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const generateMetadata = titled("projects", (text) => text.one);

export default async function Page(props: PageProps & { params: Promise<{ id: string }> }) {
  const { id } = await props.params;
  await requireViewer(`/console/projects/${encodeURIComponent(id)}`, props.searchParams);
  return (
    <MoreMessages
      messages={
        await pickMessages(
          "audit",
          "projects",
          "budgets",
          "keys",
          "limits",
          "logs",
          "overview",
          "statement",
          "usage",
        )
      }
    >
      <ProjectPage id={id} />
    </MoreMessages>
  );
}
