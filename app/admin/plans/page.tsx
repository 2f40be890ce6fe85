import { adminPlansRead } from "@/components/admin/page-reads";
import { PlansPage } from "@/components/admin/plans/plans-page";
import { requireAdmin } from "@/components/admin/require-admin";
import { FirstData } from "@/components/gateway/first-data";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages } from "@/components/i18n/server";
import type { PageProps } from "@/components/shell/viewer";

export const generateMetadata = titled("admin", (text) => text.plans.title);

export default async function Page(props: PageProps) {
  await requireAdmin("/admin/plans", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("admin")}>
      <FirstData reads={[adminPlansRead]} search={props.searchParams}>
        <PlansPage />
      </FirstData>
    </MoreMessages>
  );
}
