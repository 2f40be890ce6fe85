"use client";

import type { ReactNode } from "react";
import { ErrorPanel } from "../api/error-panel";
import { useSelf } from "../api/queries";
import { useMessages } from "../i18n/provider";
import { useShell } from "../shell/shell-context";
import { Card, PageHeader } from "../ui/card";
import { CodeBlock } from "../ui/code-block";
import { CopyButton } from "../ui/copy-button";
import { Field, Input } from "../ui/field";
import { type Section, SectionLinks } from "../ui/section-links";
import { Skeleton } from "../ui/states";
import { AppearanceForm } from "./appearance-form";
import { DeleteAccount } from "./delete-account";
import { EndSessions } from "./end-sessions";
import { PasswordForm } from "./password-form";
import { ProfileForm } from "./profile-form";

/** The account's own settings, by sections. */
export function SettingsPage() {
  const text = useMessages("settings");
  const self = useSelf();
  const username = self.data?.username ?? "";
  const parts: Part[] = [
    {
      id: "profile",
      title: text.profile,
      content: self.data === undefined ? <Skeleton className="h-64" /> : <ProfileForm self={self.data} />,
    },
    { id: "display", title: text.appearance, content: <AppearanceForm /> },
    { id: "password", title: text.password, content: <PasswordForm username={username} /> },
    { id: "sessions", title: text.sessions, content: <EndSessions /> },
    {
      id: "invite",
      title: text.invite,
      content:
        self.data === undefined ? <Skeleton className="h-24" /> : <Invite code={self.data.inviteCode} />,
    },
    { id: "token", title: text.tokenHelp, content: <TokenHelp /> },
    { id: "delete", title: text.danger, content: <DeleteAccount username={username} /> },
  ];
  return (
    <>
      <PageHeader title={text.title} />
      {self.isError && <ErrorPanel className="mb-4" error={self.error} onRetry={() => self.refetch()} />}
      <div className="grid items-start gap-6 lg:grid-cols-[180px_minmax(0,880px)]">
        <SectionLinks sections={parts} label={text.sections} />
        <div className="grid min-w-0 gap-4">
          {parts.map((part) => (
            <div key={part.id} id={part.id}>
              <Card title={part.title} {...(part.id === "delete" && { className: "border-danger/50" })}>
                {part.content}
              </Card>
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

interface Part extends Section {
  content: ReactNode;
}

function Invite(props: { code: string }) {
  const text = useMessages("settings");
  const { publicUrl } = useShell();
  const link = `${publicUrl}/register?invite=${encodeURIComponent(props.code)}`;
  return (
    <div className="grid gap-3">
      <p className="text-sm text-muted">{text.inviteLead}</p>
      <div className="flex flex-wrap items-end gap-2 sm:max-w-[480px]">
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
    <div className="grid gap-3">
      <p className="text-sm text-muted">{text.tokenLead}</p>
      <CodeBlock code={code} label={text.tokenHelp} />
    </div>
  );
}
