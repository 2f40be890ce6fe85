import { AnnouncementsPage } from "@/components/announcements/announcements-page";
import { announcementsRead } from "@/components/api/page-reads";
import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { type PageProps, requireViewer } from "@/components/shell/viewer";

export const generateMetadata = titled("shell", (text) => text.announcements);

export default async function Page(props: PageProps) {
  await requireViewer("/console/announcements", props.searchParams);
  return (
    <FirstData reads={[announcementsRead]}>
      <AnnouncementsPage />
    </FirstData>
  );
}
