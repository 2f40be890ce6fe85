import { MoreMessages } from "@/components/i18n/provider";
import { LimitsPage } from "@/components/limits/limits-page";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const generateMetadata = titled("limits", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/limits", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("limits")}>
      <LimitsPage />
    </MoreMessages>
  );
}
