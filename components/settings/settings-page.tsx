"use client";

import type { ReactNode } from "react";
import { ErrorPanel } from "../api/error-panel";
import { useShell } from "../api/shell-facts";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Card, PageHeader } from "../ui/card";
import { CopyButton } from "../ui/copy-button";
import { Field, Input } from "../ui/field";
import { Skeleton } from "../ui/states";
import { AppearanceForm } from "./appearance-form";
import { DeleteAccount } from "./delete-account";
import { PasswordForm } from "./password-form";
import { ProfileForm } from "./profile-form";
import { ScriptTokens } from "./script-tokens";
import { SignIns } from "./sign-ins";

/** The account's own settings. `takesInviteCode`: one can register with the code of an account, which is rewarded. */
export function SettingsPage(props: { takesInviteCode: boolean; inviteRewardCents: number }) {
  const text = useMessages("settings");
  const self = useRead("GET /api/user/self");
  const username = self.data?.username ?? "";
  const invite: Part = {
    id: "invite",
    title: text.invite,
    content:
      self.data === undefined ? (
        <Skeleton className="h-24" />
      ) : (
        <Invite code={self.data.inviteCode} rewardCents={props.inviteRewardCents} />
      ),
  };
  const personal: Part[] = [
    {
      id: "profile",
      title: text.profile,
      content: self.data === undefined ? <Skeleton className="h-64" /> : <ProfileForm self={self.data} />,
    },
    { id: "display", title: text.appearance, content: <AppearanceForm /> },
    ...(props.takesInviteCode ? [invite] : []),
  ];
  const access: Part[] = [
    { id: "password", title: text.password, content: <PasswordForm username={username} /> },
    { id: "sessions", title: text.sessions, content: <SignIns /> },
    { id: "token", title: text.tokens.title, content: <ScriptTokens /> },
    { id: "delete", title: text.danger, content: <DeleteAccount username={username} /> },
  ];
  return (
    <>
      <PageHeader title={text.title} />
      {self.isError && <ErrorPanel className="mb-4" error={self.error} onRetry={() => self.refetch()} />}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {[personal, access].map((column) => (
          <div key={column[0]?.id} className="grid min-w-0 gap-4">
            {column.map(({ id, title, content }) => (
              <Card key={id} title={title} {...(id === "delete" && { className: "border-danger/50" })}>
                {content}
              </Card>
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

interface Part {
  id: string;
  title: string;
  content: ReactNode;
}

function Invite(props: { code: string; rewardCents: number }) {
  const text = useMessages("settings");
  const format = useFormat();
  const { publicUrl } = useShell();
  const link = `${publicUrl}/register?invite=${encodeURIComponent(props.code)}`;
  return (
    <div className="grid gap-3">
      <p className="text-sm text-muted">
        {text.inviteLead}
        {format.gap}
        {props.rewardCents === 0
          ? text.inviteNoReward
          : fill(text.inviteReward, { amount: format.money(props.rewardCents) })}
      </p>
      <div className="grid max-w-[720px] justify-items-start gap-2">
        <Field label={text.inviteLink} className="w-full min-w-0">
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
