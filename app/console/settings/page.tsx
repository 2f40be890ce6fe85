import { bootstrapOfRender } from "@/components/gateway/reads";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { SettingsPage } from "@/components/settings/settings-page";
import { type PageProps, requireViewer } from "@/components/shell/viewer";

export const generateMetadata = titled("settings", (text) => text.title);

export default async function Page(props: PageProps) {
  await requireViewer("/console/settings", props.searchParams);
  const { registration, inviteRewardCents } = await bootstrapOfRender();
  return (
    <MoreMessages messages={await pickMessages("settings", "auth")}>
      <SettingsPage
        takesInviteCode={registration === "open" || registration === "invited"}
        inviteRewardCents={inviteRewardCents}
      />
    </MoreMessages>
  );
}
