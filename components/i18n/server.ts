import { cookies, headers } from "next/headers";
import { readHiddenNotices } from "../announcements/hidden-notices";
import { bootstrapOfRender } from "../gateway/reads";
import { type ColumnChoices, readColumnChoices } from "../ui/column-choice-text";
import { adminWords, dictionaries } from "./dictionaries";
import {
  cookieNames,
  FIRST_TIME_ZONE,
  isTimeZone,
  type Locale,
  type NumberStyle,
  numberStyles,
  oneOf,
  pickLocale,
  type Theme,
  themes,
} from "./locale";
import type { Messages } from "./messages";

/** The reader's preferences, from cookies and `Accept-Language`. */
export interface Preferences {
  locale: Locale;
  theme: Theme;
  timeZone: string | null;
  numbers: NumberStyle;
  railCollapsed: boolean;
  shortcuts: boolean;
  /** The announcements that the reader has put away. */
  hiddenNotices: string[];
  /** The columns of lists that the reader has shown or hidden. */
  columns: ColumnChoices;
}

/** Reads the reader's choices from the request. */
export async function readPreferences(): Promise<Preferences> {
  const jar = await cookies();
  const zone = jar.get(cookieNames.timeZone)?.value;
  return {
    locale: pickLocale(jar.get(cookieNames.locale)?.value, (await headers()).get("accept-language")),
    theme: oneOf(themes, jar.get(cookieNames.theme)?.value, "system"),
    timeZone: zone !== undefined && isTimeZone(zone) ? zone : null,
    numbers: oneOf(numberStyles, jar.get(cookieNames.numbers)?.value, "compact"),
    railCollapsed: jar.get(cookieNames.rail)?.value === "collapsed",
    shortcuts: jar.get(cookieNames.shortcuts)?.value !== "off",
    columns: readColumnChoices(jar.get(cookieNames.columns)?.value),
    hiddenNotices: readHiddenNotices(jar.get(cookieNames.notices)?.value),
  };
}

/** Whether a phone asks, as far as its browser says. */
export async function isPhoneRequest(): Promise<boolean> {
  const sent = await headers();
  return sent.get("sec-ch-ua-mobile") === "?1" || /\bMobi/.test(sent.get("user-agent") ?? "");
}

/** The zone that a page is rendered in; the browser tells its own at the first visit. */
export async function zoneOfRender(): Promise<string> {
  return (await readPreferences()).timeZone ?? FIRST_TIME_ZONE;
}

/** The dictionaries of some areas, ready to be sent to the browser. */
export async function pickMessages<Area extends keyof Messages>(
  ...areas: Area[]
): Promise<Pick<Messages, Area>> {
  const { locale } = await readPreferences();
  return pick(await named(dictionaries[locale], areas), areas);
}

/** The same in the words of admin pages. */
export async function pickAdminMessages<Area extends keyof Messages>(
  ...areas: Area[]
): Promise<Pick<Messages, Area>> {
  const { locale } = await readPreferences();
  return pick(await named({ ...dictionaries[locale], ...adminWords[locale] }, areas), areas);
}

/** The name of the gateway that an admin has set in place of that of the program. */
async function named(all: Messages, areas: readonly string[]): Promise<Messages> {
  if (!areas.includes("common")) return all;
  return { ...all, common: { ...all.common, productName: (await bootstrapOfRender()).name } };
}

function pick<Area extends keyof Messages>(all: Messages, areas: Area[]): Pick<Messages, Area> {
  // Each named area is copied, so the result has exactly these members.
  return Object.fromEntries(areas.map((area) => [area, all[area]])) as Pick<Messages, Area>;
}

/** One area's dictionary for a server component. */
export async function serverMessages<Area extends keyof Messages>(area: Area): Promise<Messages[Area]> {
  const { locale } = await readPreferences();
  return (await named(dictionaries[locale], [area]))[area];
}
