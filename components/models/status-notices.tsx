import { type Announcement, inLanguage } from "../announcements/hidden-notices";
import { NoticeText } from "../announcements/notice-text";
import { timesOf } from "../announcements/times";
import type { Format } from "../i18n/format";
import type { Messages } from "../i18n/messages";
import { Status } from "../ui/status";

type Text = Messages["site"]["status"];

/** Announcements to everybody with their times, below a heading; nothing where there are none. No script. */
export function StatusNotices(props: {
  title: string;
  announcements: readonly Announcement[];
  text: Text;
  format: Format;
}) {
  const { title, announcements, text, format } = props;
  if (announcements.length === 0) return null;
  return (
    <section className="grid gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      <ul aria-label={title} className="divide-y rounded-lg border">
        {announcements.map((one) => (
          <Notice key={one.id} announcement={inLanguage(one, format.locale)} text={text} format={format} />
        ))}
      </ul>
    </section>
  );
}

function Notice(props: { announcement: Announcement; text: Text; format: Format }) {
  const { announcement, text, format } = props;
  // What is planned has a heading that says so.
  const warns = announcement.tone === "warning" && Date.parse(announcement.from) <= format.now();
  return (
    <li className="grid gap-1 p-4 text-sm">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <strong className="font-medium wrap-anywhere">{announcement.title}</strong>
        {warns && <Status tone="warning">{text.warning}</Status>}
      </p>
      <p className="tabular text-xs text-muted">{timesOf(announcement, text, format)}</p>
      {announcement.text !== "" && (
        <div className="prose-width">
          <NoticeText text={announcement.text} />
        </div>
      )}
    </li>
  );
}
