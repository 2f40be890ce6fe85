import { RehearsalPage } from "@/components/admin/rehearsal/rehearsal-page";
import { requireAdmin } from "@/components/admin/require-admin";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages } from "@/components/i18n/server";
import type { PageProps } from "@/components/shell/viewer";

export const generateMetadata = titled("rehearsal", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireAdmin("/admin/rehearsal", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("admin", "rehearsal")}>
      <RehearsalPage />
    </MoreMessages>
  );
}
