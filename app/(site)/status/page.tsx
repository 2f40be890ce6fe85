import { notFound } from "next/navigation";
import type { Uptime } from "@/components/api/types";
import { statusOfRender } from "@/components/gateway/reads";
import { fill, plural } from "@/components/i18n/fill";
import { makeFormat } from "@/components/i18n/format";
import type { Locale } from "@/components/i18n/locale";
import { titled } from "@/components/i18n/metadata";
import { pickMessages, readPreferences } from "@/components/i18n/server";
import {
  periodName,
  UptimeIncidents,
  UptimeLegend,
  UptimeStatus,
  UptimeView,
} from "@/components/models/uptime";
import { PageHeader } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";
import { EmptyState, Note } from "@/components/ui/states";

export const generateMetadata = titled("site", (text) => text.status.title);

const severity = ["down", "degraded", "operational", "few", "idle"] as const;
const tones = {
  operational: "success",
  degraded: "warning",
  down: "danger",
  few: "info",
  idle: "info",
} as const;
const periods = ["24h", "7d", "30d", "90d"] as const;

/** How well the models answer, for everybody; without any script of its own. */
export default async function Page(props: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { period } = await props.searchParams;
  const uptime = await statusOfRender(periods.find((one) => one === period));
  if (uptime === null) notFound();
  const { site, models } = await pickMessages("site", "models");
  const { locale, numbers } = await readPreferences();
  const format = makeFormat(locale, uptime.timezone, numbers);
  const overall = overallOf(uptime);
  const rows = uptime.models.toSorted((a, b) => severity.indexOf(a.state) - severity.indexOf(b.state));
  const inState = (state: (typeof severity)[number]) =>
    uptime.models.filter((model) => model.state === state).map(({ id }) => id);
  return (
    <div className="mx-auto grid max-w-site gap-6 px-4 py-8 sm:px-6">
      <div>
        <PageHeader large title={site.status.title} lead={site.status.lead} />
        <Note tone={tones[overall]}>
          <p className="font-medium">{site.status.overall[overall]}</p>
          {(["down", "degraded"] as const).map((state) => {
            const names = inState(state);
            if (names.length === 0) return null;
            const values = { total: uptime.models.length, names: format.list(names) };
            return (
              <p key={state} className="wrap-anywhere">
                {plural(site.status.troubled[state], names.length, locale, values)}
              </p>
            );
          })}
        </Note>
      </div>
      {uptime.models.length === 0 && <EmptyState title={site.status.empty} />}
      {uptime.models.length > 0 && (
        <div className="grid gap-4">
          <Periods uptime={uptime} label={site.status.period} text={models.uptime} locale={locale} />
          <UptimeLegend uptime={uptime} text={models.uptime} locale={locale} />
        </div>
      )}
      <ul className="grid gap-4">
        {rows.map((model) => (
          <li key={model.id} className="grid min-w-0 gap-2 rounded-lg border p-4">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-sm">
              <h2 className="text-lg font-semibold break-all">{model.id}</h2>
              <UptimeStatus model={model} text={models.uptime} />
            </div>
            <UptimeView uptime={uptime} model={model} text={models.uptime} locale={locale} />
          </li>
        ))}
      </ul>
      {uptime.models.length > 0 && (
        <UptimeIncidents
          uptime={uptime}
          announcements={uptime.announcements}
          text={models.uptime}
          locale={locale}
        />
      )}
      <p className="text-xs text-muted">
        {fill(site.status.asOf, {
          time: format.dateTime(uptime.at),
          zone: format.zoneLabel(uptime.timezone),
        })}
      </p>
    </div>
  );
}

/** The periods that there are requests for; links, which need no script. */
function Periods(props: {
  uptime: Uptime;
  label: string;
  text: Parameters<typeof periodName>[2];
  locale: Locale;
}) {
  const { uptime, text, locale } = props;
  const bare = { ...text, last: "{period}" };
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

/** The worst state of the models that were asked something. */
function overallOf({ models }: Uptime): (typeof severity)[number] {
  return severity.find((state) => models.some((model) => model.state === state)) ?? "idle";
}
