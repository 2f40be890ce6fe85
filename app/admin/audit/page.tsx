import { AuditPage } from "@/components/admin/audit/audit-page";
import { requireAdmin } from "@/components/admin/require-admin";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("audit", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireAdmin("/admin/audit", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("admin", "audit", "logs")}>
      <AuditPage />
    </MoreMessages>
  );
}
