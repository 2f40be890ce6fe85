import { requireReader } from "@/components/admin/require-admin";
import { StatementsPage } from "@/components/admin/statements/statements-page";
import { read } from "@/components/api/read";
import { MoreMessages } from "@/components/i18n/provider";
import { FirstData } from "@/components/server/first-data";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import type { PageProps } from "@/components/server/viewer";

export const generateMetadata = titled("adminStatements", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireReader("/admin/statements", props.searchParams);
  return (
    <MoreMessages messages={await pickAdminMessages("adminStatements")}>
      <FirstData reads={[read("GET /api/admin/statements")]} search={props.searchParams}>
        <StatementsPage />
      </FirstData>
    </MoreMessages>
  );
}
