import { AdminOverview } from "@/components/admin/overview/admin-overview";
import { adminOverviewReads } from "@/components/admin/overview/reads";
import { requireAdmin } from "@/components/admin/require-admin";
import { MoreMessages } from "@/components/i18n/provider";
import { FirstData } from "@/components/server/first-data";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { zoneOfRender } from "@/components/server/preferences";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("admin", (text) => text.overview.title);

export default async function Page(props: PageProps) {
  await requireAdmin("/admin", props.searchParams);
  return (
    <MoreMessages
      messages={await pickAdminMessages("admin", "adminModels", "adminNodes", "logs", "overview", "usage")}
    >
      <FirstData reads={adminOverviewReads(await zoneOfRender())} search={props.searchParams}>
        <AdminOverview />
      </FirstData>
    </MoreMessages>
  );
}
