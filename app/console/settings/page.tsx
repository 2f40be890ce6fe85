import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { bootstrapOfRender } from "@/components/server/reads";
import { type PageProps, requireViewer } from "@/components/server/viewer";
import { SettingsPage } from "@/components/settings/settings-page";

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
