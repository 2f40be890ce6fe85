import { requireAdmin } from "@/components/admin/require-admin";
import { UserPage } from "@/components/admin/users/user-page";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("adminUsers", (text) => text.user);

export default async function Page(props: PageProps & { params: Promise<{ id: string }> }) {
  const { id } = await props.params;
  await requireAdmin(`/admin/users/${encodeURIComponent(id)}`, props.searchParams);
  const messages = await pickAdminMessages(
    "admin",
    "audit",
    "adminUsers",
    "billing",
    "budgets",
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
