"use client";

import { useFormat } from "./provider";

/** Names a month: "November 2026". */
export function useMonthName(): (month: string) => string {
  const { locale } = useFormat();
  const names = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", timeZone: "UTC" });
  return (month) => names.format(new Date(`${month}-01T00:00:00Z`));
}
