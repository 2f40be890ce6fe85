import { notFound } from "next/navigation";
import type { Uptime } from "@/components/api/types";
import { statusOfRender } from "@/components/gateway/reads";
import { fill, plural } from "@/components/i18n/fill";
import { makeFormat } from "@/components/i18n/format";
import { titled } from "@/components/i18n/metadata";
import { pickMessages, readPreferences } from "@/components/i18n/server";
import { UptimeLegend, UptimeStatus, UptimeView } from "@/components/models/uptime";
import { PageHeader } from "@/components/ui/card";
import { EmptyState, Note } from "@/components/ui/states";

export const generateMetadata = titled("site", (text) => text.status.title);

const severity = ["down", "degraded", "operational", "idle"] as const;
const tones = { operational: "success", degraded: "warning", down: "danger", idle: "info" } as const;

/** How well the models answer, for everybody; without any script of its own. */
export default async function Page() {
  const uptime = await statusOfRender();
  if (uptime === null) notFound();
  const { site, models } = await pickMessages("site", "models");
  const { locale, timeZone, numbers } = await readPreferences();
  const format = makeFormat(locale, timeZone ?? uptime.timezone, numbers);
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
      {uptime.models.length > 0 && <UptimeLegend uptime={uptime} text={models.uptime} locale={locale} />}
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
      <p className="text-xs text-muted">
        {fill(site.status.asOf, {
          time: format.dateTime(uptime.at),
          zone: format.zoneLabel(uptime.timezone),
        })}
      </p>
    </div>
  );
}

/** The worst state of the models that were asked something. */
function overallOf({ models }: Uptime): (typeof severity)[number] {
  return severity.find((state) => models.some((model) => model.state === state)) ?? "idle";
}
