"use client";

import { useMessages } from "../../i18n/provider";
import { PageHeader } from "../../ui/card";
import { Announcements } from "./announcements";
import { InviteReward } from "./invite-reward";
import { StatusPage } from "./status-page";

/** What applies to the whole gateway and can be changed while it runs. */
export function SettingsPage() {
  const text = useMessages("adminSettings");
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <div className="grid gap-6">
        <Announcements />
        <StatusPage />
        <InviteReward />
      </div>
    </>
  );
}
