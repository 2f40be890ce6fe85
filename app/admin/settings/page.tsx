import { requireAdmin } from "@/components/admin/require-admin";
import { SettingsPage } from "@/components/admin/settings/settings-page";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("adminSettings", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireAdmin("/admin/settings", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("admin", "audit", "adminSettings")}>
      <SettingsPage />
    </MoreMessages>
  );
}
