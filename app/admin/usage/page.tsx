import { requireReader } from "@/components/admin/require-admin";
import { read } from "@/components/api/read";
import { MoreMessages } from "@/components/i18n/provider";
import { FirstData } from "@/components/server/first-data";
import { pickAdminMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { zoneOfRender } from "@/components/server/preferences";
import type { PageProps } from "@/components/server/viewer";
import { UsagePage } from "@/components/usage/usage-page";
import { usageWeek } from "@/components/usage/usage-week";

export const generateMetadata = titled("usage", (text) => text.allTitle);

export default async function Page(props: PageProps) {
  await requireReader("/admin/usage", props.searchParams);
  const messages = await pickAdminMessages("usage", "overview", "logs");
  const { allTitle, allLead } = messages.usage;
  return (
    <MoreMessages messages={messages}>
      <FirstData
        reads={[read("GET /api/admin/stats", { query: { ...usageWeek, tz: await zoneOfRender() } })]}
        search={props.searchParams}
      >
        <UsagePage
          source={{ stats: "/api/admin/stats", logs: "/admin/logs", admin: true }}
          title={allTitle}
          lead={allLead}
        />
      </FirstData>
    </MoreMessages>
  );
}
