import { PlansPage } from "@/components/admin/plans/plans-page";
import { requireReader } from "@/components/admin/require-admin";
import { read } from "@/components/api/read";
import { MoreMessages } from "@/components/i18n/provider";
import { FirstData } from "@/components/server/first-data";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("admin", (text) => text.plans.title);

export default async function Page(props: PageProps) {
  await requireReader("/admin/plans", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("admin", "audit", "budgets", "logs")}>
      <FirstData reads={[read("GET /api/admin/plans")]} search={props.searchParams}>
        <PlansPage />
      </FirstData>
    </MoreMessages>
  );
}
