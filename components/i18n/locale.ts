export const locales = ["en", "zh-CN"] as const;
export type Locale = (typeof locales)[number];

export const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];

export const numberStyles = ["compact", "full"] as const;
export type NumberStyle = (typeof numberStyles)[number];

export const cookieNames = {
  locale: "locale",
  theme: "theme",
  timeZone: "tz",
  numbers: "numbers",
  rail: "rail",
  shortcuts: "shortcuts",
  notices: "notices",
  columns: "columns",
} as const;

/** The language to answer in: the cookie, else the best match of `Accept-Language`, else English. */
export function pickLocale(cookie: string | undefined, acceptLanguage: string | null): Locale {
  const chosen = locales.find((locale) => locale === cookie);
  if (chosen !== undefined) return chosen;
  const wanted = (acceptLanguage ?? "")
    .split(",")
    .map((part) => {
      const [tag = "", quality = "q=1"] = part.trim().split(";");
      return { tag: tag.toLowerCase(), quality: Number(quality.trim().replace("q=", "")) || 0 };
    })
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    if (tag.startsWith("zh")) return "zh-CN";
    if (tag.startsWith("en")) return "en";
  }
  return "en";
}

/** The cookie's value when it is one of the known ones. */
export function oneOf<T extends string>(known: readonly T[], value: string | undefined, fallback: T): T {
  return known.find((entry) => entry === value) ?? fallback;
}

/** True for a zone that `Intl` knows. */
export function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** The zone of a reader's first page: the browser tells its own from then on. */
export const FIRST_TIME_ZONE = "UTC";
