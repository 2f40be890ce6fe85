import { AdminOverview } from "@/components/admin/overview/admin-overview";
import { adminOverviewReads } from "@/components/admin/page-reads";
import { requireAdmin } from "@/components/admin/require-admin";
import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages, zoneOfRender } from "@/components/i18n/server";
import type { PageProps } from "@/components/shell/viewer";

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
