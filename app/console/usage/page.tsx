import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { type PageProps, requireViewer } from "@/components/shell/viewer";
import { UsagePage } from "@/components/usage/usage-page";

export const generateMetadata = titled("usage", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/usage", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("usage", "overview")}>
      <UsagePage />
    </MoreMessages>
  );
}
