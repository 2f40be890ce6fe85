"use client";

import { BookOpen, CircleHelp, Languages, LogOut, type LucideIcon, Moon, Plus, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { closeSession } from "../auth/open-session";
import { fill } from "../i18n/fill";
import { cookieNames, locales } from "../i18n/locale";
import type { Messages } from "../i18n/messages";
import { setCookie } from "../i18n/preferences";
import { useLanguage, useMessages } from "../i18n/provider";
import { adminSpace, consoleSpace, entriesOf } from "./navigation";
import { useOpenPage } from "./offline";
import { useShell } from "./shell-context";
import { chooseTheme } from "./theme";

/** A command of the palette. */
export interface Command {
  id: string;
  label: string;
  keywords: string;
  /** The keys that do the same. */
  hint?: string;
  /** What kind of record it opens. */
  note?: string;
  icon: LucideIcon;
  run: () => void;
}

const hints: Record<string, string> = {
  "/console": "g o",
  "/console/keys": "g k",
  "/console/usage": "g u",
  "/console/logs": "g l",
};

function pageCommands(admin: boolean, text: Messages["shell"], open: (href: string) => void): Command[] {
  const words: Partial<Record<string, string>> = text.searchWords;
  return [consoleSpace, ...(admin ? [adminSpace] : [])].flatMap(entriesOf).map((entry) => ({
    id: entry.href.replaceAll("/", "-"),
    label: entry.href.startsWith("/admin") ? `${text.admin}: ${entry.label(text)}` : entry.label(text),
    keywords: `${entry.href} ${words[entry.href] ?? ""}`,
    ...(hints[entry.href] === undefined ? {} : { hint: hints[entry.href] ?? "" }),
    icon: entry.icon,
    run: () => open(entry.href),
  }));
}

/** The commands of the signed-in account. */
export function useCommands(): Command[] {
  const text = useMessages("shell");
  const common = useMessages("common");
  const { locale } = useLanguage();
  const { admin } = useShell();
  const router = useRouter();
  const open = useOpenPage();
  return useMemo(() => {
    const other = locales.find((candidate) => candidate !== locale) ?? "en";
    return [
      ...pageCommands(admin, text, open),
      {
        id: "create-key",
        label: text.createKey,
        keywords: text.searchWords.createKey,
        icon: Plus,
        run: () => open("/console/keys?create=1"),
      },
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
      {
        id: "language",
        label: fill(text.switchLanguage, { language: common.languageNames[other] }),
        keywords: "language chinese english locale translation 语言 中文 英文",
        icon: Languages,
        run: () => {
          setCookie(cookieNames.locale, other);
          document.documentElement.lang = other;
          router.refresh();
        },
      },
      ...(["light", "dark"] as const).map((theme) => ({
        id: `theme-${theme}`,
        label: fill(text.switchTheme, { theme: common.themes[theme] }),
        keywords: `theme ${theme} ${text.searchWords.theme}`,
        icon: theme === "dark" ? Moon : Sun,
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
  }, [text, common, locale, admin, router, open]);
}
