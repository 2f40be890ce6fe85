"use client";

import { useRef } from "react";
import { useMessages } from "../../i18n/provider";
import { useRowKeys } from "../../lists/use-row-keys";
import { PageHeader } from "../../ui/card";
import { SectionLinks } from "../../ui/section-links";
import { Alerts } from "./alerts";
import { Announcements } from "./announcements";
import { TextSetting } from "./contact";
import { Invitations } from "./invitations";
import { Registration } from "./registration";
import { SetAtStart } from "./set-at-start";
import { StatusPage } from "./status-page";

/** What applies to the whole gateway: what can be changed while it runs, and what was set at start. */
export function SettingsPage() {
  const text = useMessages("adminSettings");
  const parts = [
    { id: "name", title: text.name.title, content: <TextSetting name="name" /> },
    { id: "announcements", title: text.announcements.title, content: <Announcements /> },
    { id: "status", title: text.status.title, content: <StatusPage /> },
    { id: "contact", title: text.contact.title, content: <TextSetting name="contact" /> },
    { id: "alerts", title: text.alerts.title, content: <Alerts /> },
    { id: "registration", title: text.registration.title, content: <Registration /> },
    { id: "invitations", title: text.invitations.title, content: <Invitations /> },
    { id: "start", title: text.start.title, content: <SetAtStart /> },
  ];
  // `j` and `k` go through the rows of all lists of the page.
  const box = useRef<HTMLDivElement>(null);
  useRowKeys(box);
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <div className="grid items-start gap-6 lg:grid-cols-[180px_minmax(0,880px)]">
        <SectionLinks sections={parts} label={text.sections} />
        <div ref={box} className="grid min-w-0 gap-6">
          {parts.map(({ id, content }) => (
            <div key={id} id={id}>
              {content}
            </div>
          ))}
        </div>
      </div>
    </>
  );
}
