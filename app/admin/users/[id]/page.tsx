import { requireAdmin } from "@/components/admin/require-admin";
import { UserPage } from "@/components/admin/users/user-page";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages } from "@/components/i18n/server";
import type { PageProps } from "@/components/shell/viewer";

export const generateMetadata = titled("adminUsers", (text) => text.user);

export default async function Page(props: PageProps & { params: Promise<{ id: string }> }) {
  const { id } = await props.params;
  await requireAdmin(`/admin/users/${encodeURIComponent(id)}`, props.searchParams);
  const messages = await pickAdminMessages(
    "admin",
    "adminUsers",
    "billing",
    "keys",
    "logs",
    "overview",
    "usage",
  );
  return (
    <MoreMessages messages={messages}>
      <UserPage id={id} />
    </MoreMessages>
  );
}
