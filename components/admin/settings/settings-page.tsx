"use client";

import { useMessages } from "../../i18n/provider";
import { PageHeader } from "../../ui/card";
import { Announcements } from "./announcements";
import { InviteReward } from "./invite-reward";
import { Registration } from "./registration";
import { SetAtStart } from "./set-at-start";
import { StatusPage } from "./status-page";

/** What applies to the whole gateway: what can be changed while it runs, and what was set at start. */
export function SettingsPage() {
  const text = useMessages("adminSettings");
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <div className="grid gap-6">
        <Announcements />
        <StatusPage />
        <Registration />
        <InviteReward />
        <SetAtStart />
      </div>
    </>
  );
}
