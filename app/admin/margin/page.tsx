import { MarginPage } from "@/components/admin/margin/margin-page";
import { requireReader } from "@/components/admin/require-admin";
import { MoreMessages } from "@/components/i18n/provider";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("margin", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireReader("/admin/margin", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("margin", "usage")}>
      <MarginPage />
    </MoreMessages>
  );
}
