import type { Uptime } from "../api/types";
import { plural } from "../i18n/fill";
import type { Locale } from "../i18n/locale";
import type { Messages } from "../i18n/messages";
import { Note } from "../ui/states";

type Model = Pick<Uptime["models"][number], "id" | "state">;

const severity = ["down", "degraded", "operational", "few", "idle"] as const;
const tones = {
  operational: "success",
  degraded: "warning",
  down: "danger",
  few: "info",
  idle: "info",
} as const;
/** Orders models by how badly they do, the worst first. */
export function bySeverity(a: Model, b: Model): number {
  return severity.indexOf(a.state) - severity.indexOf(b.state);
}

/** One sentence about all models, then those that it is not true of. */
export function StatusHeadline(props: {
  models: Model[];
  text: Messages["site"]["status"];
  locale: Locale;
  list: (names: string[]) => string;
}) {
  const { models, text, locale } = props;
  const overall = severity.find((state) => models.some((model) => model.state === state)) ?? "idle";
  const quiet = overall === "operational" && models.some(({ state }) => state !== "operational");
  return (
    <Note tone={tones[overall]}>
      <p className="font-medium">{text.overall[quiet ? "quiet" : overall]}</p>
      {(["down", "degraded", "few"] as const).map((state) => {
        const names = models.filter((model) => model.state === state).map(({ id }) => id);
        if (names.length === 0 || (state === "few" && overall === "few")) return null;
        const values = { total: models.length, names: props.list(names) };
        return (
          <p key={state} className="wrap-anywhere">
            {plural(text.troubled[state], names.length, locale, values)}
          </p>
        );
      })}
    </Note>
  );
}
