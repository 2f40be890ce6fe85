import { ModelsPage } from "@/components/admin/models/models-page";
import { requireAdmin } from "@/components/admin/require-admin";
import { read } from "@/components/api/read";
import { MoreMessages } from "@/components/i18n/provider";
import { FirstData } from "@/components/server/first-data";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("adminModels", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireAdmin("/admin/models", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("admin", "audit", "adminModels", "adminNodes", "prices")}>
      <FirstData
        reads={[read("GET /api/admin/models"), read("GET /api/admin/nodes")]}
        search={props.searchParams}
      >
        <ModelsPage />
      </FirstData>
    </MoreMessages>
  );
}
