import { requireAdmin } from "@/components/admin/require-admin";
import { SettingsPage } from "@/components/admin/settings/settings-page";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages } from "@/components/i18n/server";
import type { PageProps } from "@/components/shell/viewer";

export const generateMetadata = titled("adminSettings", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireAdmin("/admin/settings", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("admin", "adminSettings")}>
      <SettingsPage />
    </MoreMessages>
  );
}
