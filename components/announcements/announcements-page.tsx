"use client";

import { QueryRegion } from "../api/query-region";
import type { UserAnnouncement } from "../api/types";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { PageHeader } from "../ui/card";
import { cn } from "../ui/cn";
import { EmptyState } from "../ui/states";
import { Status } from "../ui/status";
import { inLanguage } from "./hidden-notices";
import { NoticeText } from "./notice-text";
import { timesOf } from "./times";

/** What admins tell all users: what is shown now, and what has ended. */
export function AnnouncementsPage() {
  const text = useMessages("shell");
  const announcements = useRead("GET /api/user/announcements");
  return (
    <>
      <PageHeader title={text.notices.title} lead={text.notices.lead} />
      <QueryRegion query={announcements}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={text.notices.empty} />
          ) : (
            <ul className="grid max-w-[880px] gap-3">
              {data.map((announcement) => (
                <li key={announcement.id} className="rounded-lg border p-4">
                  <Entry announcement={announcement} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryRegion>
    </>
  );
}

function Entry(props: { announcement: UserAnnouncement }) {
  const text = useMessages("shell").notices;
  const format = useFormat();
  const { title, text: body, tone, current, from } = inLanguage(props.announcement, format.locale);
  const hasEnded = !current && Date.parse(from) <= format.now();
  return (
    <article className={cn("grid gap-1", hasEnded && "text-muted")}>
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-lg font-semibold wrap-anywhere">{title}</h2>
        {tone === "warning" && !hasEnded && <Status tone="warning">{text.tones.warning}</Status>}
      </header>
      <p className="text-xs text-muted">
        <Times announcement={props.announcement} />
      </p>
      {body !== "" && (
        <div className="prose-width text-sm">
          <NoticeText text={body} />
        </div>
      )}
    </article>
  );
}

function Times(props: { announcement: UserAnnouncement }) {
  const text = useMessages("shell").notices;
  const format = useFormat();
  const { from, until, current } = props.announcement;
  const shown = timesOf(props.announcement, text, format);
  if (current) return shown;
  if (Date.parse(from) > format.now()) return fill(text.planned, { times: shown });
  return fill(text.ended, { dates: format.dates(from, until ?? from) });
}
