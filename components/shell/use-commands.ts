"use client";

import {
  Ban,
  BookOpen,
  CircleHelp,
  Coins,
  HeartPulse,
  Languages,
  LogOut,
  type LucideIcon,
  Plus,
  PowerOff,
  ScrollText,
} from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useMemo } from "react";
import { closeSession } from "../api/session";
import { useShell } from "../api/shell-facts";
import { fill } from "../i18n/fill";
import { cookieNames, type Locale, locales, themes } from "../i18n/locale";
import type { Messages } from "../i18n/messages";
import { setCookie } from "../i18n/preferences";
import { useLanguage, useMessages } from "../i18n/provider";
import { adminSpace } from "./admin-space";
import { consoleSpace, entriesOf, spacesFrom } from "./navigation";
import { useOpenPage } from "./offline";
import type { Space } from "./space";
import { chooseTheme, currentTheme, themeIcons } from "./theme";

/** A command of the palette. */
export interface Command {
  id: string;
  label: string;
  keywords: string;
  /** Its label without that of its space. */
  name?: string;
  /** It leads to the space where the reader is not. */
  elsewhere?: boolean;
  /** The keys that do the same. */
  hint?: string;
  /** What kind of record it opens. */
  note?: string;
  icon: LucideIcon;
  /** Its name is only almost what was typed. */
  guessed?: boolean;
  /** What it writes into the field instead of running, for a name to follow. */
  types?: string;
  run: () => void;
}

type Open = (href: string) => void;

/** What an admin does to a record that the palette finds. */
export const verbIcons = { suspend: Ban, grant: Coins, drain: PowerOff } as const;

/** The pages of the spaces; the keys that lead to a page are those of the first space, where the reader is. */
function pageCommands(spaces: Space[], text: Messages["shell"], locale: Locale, open: Open): Command[] {
  return spaces.flatMap((space) =>
    entriesOf(space).map(({ href, name, search, icon, letter }) => ({
      id: href.replaceAll("/", "-"),
      // Both spaces have an overview, models, logs and settings.
      label:
        spaces.length > 1
          ? fill(text.ofSpace, { space: space.name[locale], page: name[locale] })
          : name[locale],
      keywords: `${href} ${search[locale]}`,
      name: name[locale],
      elsewhere: space !== spaces[0],
      ...(letter !== undefined && space === spaces[0] && { hint: `g ${letter}` }),
      icon,
      run: () => open(href),
    })),
  );
}

type CreateName =
  | "createKey"
  | "createBudget"
  | "createAnyBudget"
  | "createNode"
  | "createModel"
  | "createUser"
  | "createInvitation"
  | "createAnnouncement";

/** Each opens the form of a new record. */
function createCommands(spaces: Space[], text: Messages["shell"], open: Open): Command[] {
  const of = (name: CreateName, page: string, what = "1") => ({
    id: name,
    label: text[name],
    keywords: text.searchWords[name],
    icon: Plus,
    run: () => open(`${page}?create=${what}`),
  });
  const ofConsole = [of("createKey", "/console/keys"), of("createBudget", "/console/budgets")];
  const ofAdmin = [
    of("createNode", "/admin/nodes"),
    of("createModel", "/admin/models"),
    of("createUser", "/admin/users"),
    of("createAnyBudget", "/admin/budgets"),
    of("createInvitation", "/admin/settings", "invitation"),
    of("createAnnouncement", "/admin/settings", "announcement"),
  ];
  return spaces.flatMap((space) =>
    (space === adminSpace ? ofAdmin : space === consoleSpace ? ofConsole : []).map((command) => ({
      ...command,
      elsewhere: space !== spaces[0],
    })),
  );
}

/** The first words of what is done with a record, whose name follows. */
function verbCommands(spaces: Space[], text: Messages["shell"], admin: boolean): Command[] {
  const elsewhere = spaces[0] !== adminSpace;
  const logsOf: Command = {
    id: "logs-of",
    label: text.logsOf.open,
    keywords: text.logsOf.words,
    icon: ScrollText,
    types: fill(text.logsOf.label, { name: "" }),
    run: () => {},
  };
  if (!admin) return [logsOf];
  const ofAdmin = (["suspend", "grant", "drain"] as const).map((verb) => ({
    id: `verb-${verb}`,
    label: text.verbs[verb].open,
    keywords: text.verbs[verb].words,
    elsewhere,
    icon: verbIcons[verb],
    types: fill(text.verbs[verb].label, { name: "" }),
    run: () => {},
  }));
  return [logsOf, ...ofAdmin];
}

/** The commands of the signed-in account. */
export function useCommands(): Command[] {
  const text = useMessages("shell");
  const common = useMessages("common");
  const { locale } = useLanguage();
  const { admin, role, statusPage } = useShell();
  const path = usePathname();
  const router = useRouter();
  const open = useOpenPage();
  return useMemo(() => {
    const other = locales.find((candidate) => candidate !== locale) ?? "en";
    const spaces = spacesFrom(path, role);
    return [
      ...pageCommands(spaces, text, locale, open),
      ...createCommands(spaces, text, open),
      ...verbCommands(spaces, text, admin),
      {
        id: "docs",
        label: common.docs,
        keywords: text.searchWords.docs,
        icon: CircleHelp,
        run: () => open("/docs"),
      },
      {
        id: "api-reference",
        label: common.apiReference,
        keywords: text.searchWords.apiReference,
        icon: BookOpen,
        run: () => open("/docs/api"),
      },
      ...(statusPage
        ? [
            {
              id: "status",
              label: text.status,
              keywords: text.searchWords.status,
              icon: HeartPulse,
              run: () => open("/status"),
            },
          ]
        : []),
      {
        id: "language",
        label: fill(common.switchLanguage, { language: common.languageNames[other] }),
        keywords: "language chinese english locale translation 语言 中文 英文",
        icon: Languages,
        run: () => {
          setCookie(cookieNames.locale, other);
          document.documentElement.lang = other;
          router.refresh();
        },
      },
      ...themes
        .filter((theme) => theme !== currentTheme())
        .map((theme) => ({
          id: `theme-${theme}`,
          label: fill(text.switchTheme, { theme: common.themes[theme] }),
          keywords: `theme ${theme} ${text.searchWords.theme}`,
          icon: themeIcons[theme],
          run: () => chooseTheme(theme),
        })),
      {
        id: "sign-out",
        label: common.signOut,
        keywords: text.searchWords.signOut,
        icon: LogOut,
        run: () => void closeSession(),
      },
    ];
  }, [text, common, locale, path, admin, role, statusPage, router, open]);
}
