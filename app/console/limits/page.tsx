import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { LimitsPage } from "@/components/limits/limits-page";
import { type PageProps, requireViewer } from "@/components/shell/viewer";

export const generateMetadata = titled("limits", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/limits", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("limits")}>
      <LimitsPage />
    </MoreMessages>
  );
}
