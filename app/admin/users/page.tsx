import { requireReader } from "@/components/admin/require-admin";
import { newestUsers } from "@/components/admin/users/newest-users";
import { UsersPage } from "@/components/admin/users/users-page";
import { read } from "@/components/api/read";
import { MoreMessages } from "@/components/i18n/provider";
import { FirstData } from "@/components/server/first-data";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { zoneOfRender } from "@/components/server/preferences";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("adminUsers", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireReader("/admin/users", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("admin", "audit", "adminUsers", "adminSettings")}>
      <FirstData
        reads={[
          read("GET /api/admin/users", { query: newestUsers(await zoneOfRender()) }),
          read("GET /api/admin/plans"),
        ]}
        search={props.searchParams}
      >
        <UsersPage />
      </FirstData>
    </MoreMessages>
  );
}
