import { BillPage } from "@/components/admin/margin/bill/bill-page";
import { requireReader } from "@/components/admin/require-admin";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("providerBill", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireReader("/admin/margin/bill", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("providerBill")}>
      <BillPage />
    </MoreMessages>
  );
}
