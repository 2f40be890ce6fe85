import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { Uptime } from "@/components/api/types";
import { fill } from "@/components/i18n/fill";
import { makeFormat } from "@/components/i18n/format";
import type { Locale } from "@/components/i18n/locale";
import { bySeverity, StatusHeadline } from "@/components/models/status-headline";
import { StatusNotices } from "@/components/models/status-notices";
import { periodName, UptimeLegend, UptimeRow } from "@/components/models/uptime";
import { UptimeIncidents } from "@/components/models/uptime-incidents";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { readPreferences } from "@/components/server/preferences";
import { statusOfRender } from "@/components/server/reads";
import { PageHeader } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/ui/states";

const title = titled("site", (text) => text.status.title);

export async function generateMetadata(): Promise<Metadata> {
  return { ...(await title()), alternates: { types: { "application/atom+xml": "/status/feed" } } };
}

const periods = ["24h", "7d", "30d", "90d"] as const;

/** How well the models answer, for everybody; of it only the words of single bars need a script. */
export default async function Page(props: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { period } = await props.searchParams;
  const uptime = await statusOfRender(periods.find((one) => one === period));
  if (uptime === null) notFound();
  const { site, models } = await pickMessages("site", "models");
  const text = models.uptime;
  const { locale, numbers } = await readPreferences();
  const format = makeFormat(locale, uptime.timezone, numbers);
  const span = periodName(uptime, uptime.period, { ...text, ...text.spans }, locale);
  const rows = uptime.models.toSorted(bySeverity);
  return (
    <div className="mx-auto grid max-w-site gap-6 px-4 py-8 sm:px-6">
      <div>
        <PageHeader large title={site.status.title} />
        <StatusHeadline models={uptime.models} text={site.status} locale={locale} list={format.list} />
      </div>
      <StatusNotices
        title={site.status.notices}
        announcements={uptime.notices}
        text={site.status}
        format={format}
      />
      <StatusNotices
        title={site.status.planned}
        announcements={uptime.planned}
        text={site.status}
        format={format}
      />
      {uptime.models.length === 0 ? (
        <EmptyState title={site.status.empty} />
      ) : (
        <>
          <div className="grid gap-3">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <p id="bars" className="text-sm text-muted">
                {fill(text.caption[uptime.bucket], { span })}
              </p>
              <Periods
                uptime={uptime}
                label={site.status.period}
                allTime={site.status.allTime}
                text={text}
                locale={locale}
              />
            </div>
            <ul aria-labelledby="bars" className="divide-y rounded-lg border">
              {rows.map((model) => (
                <UptimeRow key={model.id} uptime={uptime} model={model} text={text} locale={locale} />
              ))}
            </ul>
            <UptimeLegend uptime={uptime} text={text} locale={locale} />
            <p className="prose-width text-xs text-muted">{site.status.lead}</p>
          </div>
          <UptimeIncidents uptime={uptime} announcements={uptime.announcements} text={text} locale={locale} />
        </>
      )}
      <p className="text-xs text-muted">
        {fill(site.status.asOf, {
          time: format.dateTime(uptime.at),
          zone: format.zoneLabel(uptime.timezone),
        })}{" "}
        <a href="/status/feed" className="inline-block py-1 underline underline-offset-2">
          {site.status.feed}
        </a>
      </p>
    </div>
  );
}

/** The periods that there are requests for; links, which need no script. */
function Periods(props: {
  uptime: Uptime;
  label: string;
  /** What a period is called that begins before anything is known. */
  allTime: string;
  text: Parameters<typeof periodName>[2];
  locale: Locale;
}) {
  const { uptime, allTime, text, locale } = props;
  const bare = { ...text, last: "{period}", since: allTime };
  if (uptime.periods.length < 2) return null;
  return (
    <nav
      aria-label={props.label}
      className="flex w-fit max-w-full rounded-md border border-control bg-page p-0.5"
    >
      {uptime.periods.map((period) => (
        <Link
          key={period}
          href={`/status?period=${period}`}
          scroll={false}
          aria-current={period === uptime.period ? "page" : undefined}
          className={cn(
            "flex h-7.5 items-center rounded-sm px-3 text-sm font-medium whitespace-nowrap pointer-coarse:h-10",
            period === uptime.period ? "bg-primary text-on-primary" : "text-muted hover:text-fg",
          )}
        >
          {periodName(uptime, period, bare, locale)}
        </Link>
      ))}
    </nav>
  );
}
