"use client";

import { ErrorPanel } from "../api/error-panel";
import { useSelf } from "../api/queries";
import { useMessages } from "../i18n/provider";
import { useShell } from "../shell/shell-context";
import { Card, PageHeader } from "../ui/card";
import { CodeBlock } from "../ui/code-block";
import { CopyButton } from "../ui/copy-button";
import { Field, Input } from "../ui/field";
import { Skeleton } from "../ui/states";
import { AppearanceCard } from "./appearance-card";
import { DeleteAccount } from "./delete-account";
import { EndSessions } from "./end-sessions";
import { PasswordForm } from "./password-form";
import { ProfileForm } from "./profile-form";

/** The account's own settings. */
export function SettingsPage() {
  const text = useMessages("settings");
  const self = useSelf();
  return (
    <>
      <PageHeader title={text.title} />
      <div className="grid max-w-[880px] gap-4">
        {self.isError && <ErrorPanel error={self.error} onRetry={() => self.refetch()} />}
        <Card title={text.profile}>
          {self.data === undefined ? <Skeleton className="h-64" /> : <ProfileForm self={self.data} />}
        </Card>
        <AppearanceCard />
        <Card title={text.invite}>
          {self.data === undefined ? <Skeleton className="h-24" /> : <Invite code={self.data.inviteCode} />}
        </Card>
        <Card title={text.password}>
          <PasswordForm username={self.data?.username ?? ""} />
        </Card>
        <Card title={text.sessions}>
          <EndSessions />
        </Card>
        <TokenHelp />
        <Card title={text.danger} className="border-danger/50">
          <DeleteAccount username={self.data?.username ?? ""} />
        </Card>
      </div>
    </>
  );
}

function Invite(props: { code: string }) {
  const text = useMessages("settings");
  const { publicUrl } = useShell();
  const link = `${publicUrl}/register?invite=${encodeURIComponent(props.code)}`;
  return (
    <div className="grid gap-3">
      <p className="text-sm text-muted">{text.inviteLead}</p>
      <div className="flex flex-wrap items-end gap-2">
        <Field label={text.inviteLink} className="min-w-60 flex-1">
          {(control) => (
            <Input
              {...control}
              readOnly
              value={link}
              onFocus={(event) => event.target.select()}
              className="font-mono text-sm"
            />
          )}
        </Field>
        <CopyButton text={link} label={text.copyInvite} size="md" />
      </div>
    </div>
  );
}

function TokenHelp() {
  const text = useMessages("settings");
  const { publicUrl, username } = useShell();
  const code = `curl ${publicUrl}/api/user/login \\
  -H "Content-Type: application/json" \\
  -d '{"username": "${username}", "password": "…"}'

curl ${publicUrl}/api/user/self -H "Authorization: Bearer $TOKEN"`;
  return (
    <Card title={text.tokenHelp}>
      <div className="grid gap-3">
        <p className="text-sm text-muted">{text.tokenLead}</p>
        <CodeBlock code={code} label={text.tokenHelp} />
      </div>
    </Card>
  );
}
