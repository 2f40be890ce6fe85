import { cookies, headers } from "next/headers";
import { readHiddenNotices } from "../announcements/hidden-notices";
import { type ColumnChoices, readColumnChoices } from "../i18n/column-choices";
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
} from "../i18n/locale";

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
