import { AnnouncementsPage } from "@/components/announcements/announcements-page";
import { titled } from "@/components/i18n/metadata";
import { type PageProps, requireViewer } from "@/components/shell/viewer";

export const generateMetadata = titled("shell", (text) => text.announcements);

export default async function Page(props: PageProps) {
  await requireViewer("/console/announcements", props.searchParams);
  return <AnnouncementsPage />;
}
