import { AnnouncementsPage } from "@/components/announcements/announcements-page";
import { read } from "@/components/api/read";
import { FirstData } from "@/components/server/first-data";
import { titled } from "@/components/server/metadata";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const generateMetadata = titled("shell", (text) => text.notices.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/announcements", props.searchParams);
  return (
    <FirstData reads={[read("GET /api/user/announcements")]}>
      <AnnouncementsPage />
    </FirstData>
  );
}
