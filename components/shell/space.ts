import type { LucideIcon } from "lucide-react";
import type { Locale } from "../i18n/locale";

/** A name in each language of the pages. */
type Name = Record<Locale, string>;

/** One entry of the rail: a page that is declared here is in rail, palette and shortcuts. */
export interface NavigationEntry {
  href: string;
  name: Name;
  /** Other words by which people look for it. */
  search: Name;
  /** No two entries share one. */
  icon: LucideIcon;
  /** After `g` it leads here, on the pages of the same space. */
  letter: string;
  /** A page of the Admin space that readers of reports see too. */
  reader?: true;
}

/** Entries under one heading; the first group of a space has none. */
export interface NavigationGroup {
  id: string;
  name: Name | null;
  entries: NavigationEntry[];
}

/** One of the two parts of the dashboard, with its own navigation. */
export interface Space {
  href: string;
  name: Name;
  /** What its list of links is called. */
  navigation: Name;
  icon: LucideIcon;
  groups: NavigationGroup[];
}

export const groupNames = {
  build: { en: "Build", "zh-CN": "构建" },
  observe: { en: "Observe", "zh-CN": "观测" },
  money: { en: "Money", "zh-CN": "费用" },
  gateway: { en: "Gateway", "zh-CN": "网关" },
  people: { en: "People", "zh-CN": "人员" },
} satisfies Record<string, Name>;
