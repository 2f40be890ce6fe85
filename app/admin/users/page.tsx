import { adminPlansRead, newestUsers, usersRead } from "@/components/admin/page-reads";
import { requireAdmin } from "@/components/admin/require-admin";
import { UsersPage } from "@/components/admin/users/users-page";
import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages, zoneOfRender } from "@/components/i18n/server";
import type { PageProps } from "@/components/shell/viewer";

export const generateMetadata = titled("adminUsers", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireAdmin("/admin/users", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("admin", "adminUsers", "adminSettings")}>
      <FirstData
        reads={[usersRead(newestUsers(await zoneOfRender())), adminPlansRead]}
        search={props.searchParams}
      >
        <UsersPage />
      </FirstData>
    </MoreMessages>
  );
}
