import { NodesPage } from "@/components/admin/nodes/nodes-page";
import { nodesRead } from "@/components/admin/page-reads";
import { requireAdmin } from "@/components/admin/require-admin";
import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages } from "@/components/i18n/server";
import type { PageProps } from "@/components/shell/viewer";

export const generateMetadata = titled("adminNodes", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireAdmin("/admin/nodes", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("admin", "adminModels", "adminNodes")}>
      <FirstData reads={[nodesRead]} search={props.searchParams}>
        <NodesPage />
      </FirstData>
    </MoreMessages>
  );
}
