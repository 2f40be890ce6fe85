"use client";

import { BookOpen, Languages, LogOut, type LucideIcon, Moon, Plus, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { closeSession } from "../auth/open-session";
import { leave } from "../forms/leave";
import { fill } from "../i18n/fill";
import { cookieNames, locales } from "../i18n/locale";
import { setCookie } from "../i18n/preferences";
import { useLanguage, useMessages } from "../i18n/provider";
import { adminSpace, consoleSpace, entriesOf } from "./navigation";
import { useShell } from "./shell-context";
import { chooseTheme } from "./theme";

/** A command of the palette. */
export interface Command {
  id: string;
  label: string;
  keywords: string;
  hint?: string;
  icon: LucideIcon;
  run: () => void;
}

const hints: Record<string, string> = {
  "/console": "g o",
  "/console/keys": "g k",
  "/console/usage": "g u",
  "/console/logs": "g l",
};

/** The commands of the signed-in account. */
export function useCommands(): Command[] {
  const text = useMessages("shell");
  const common = useMessages("common");
  const { locale } = useLanguage();
  const { admin } = useShell();
  const router = useRouter();
  return useMemo(() => {
    const pages: Command[] = [consoleSpace, ...(admin ? [adminSpace] : [])]
      .flatMap(entriesOf)
      .map((entry) => ({
        id: entry.href.replaceAll("/", "-"),
        label: entry.href.startsWith("/admin") ? `${text.admin}: ${entry.label(text)}` : entry.label(text),
        keywords: entry.href,
        ...(hints[entry.href] === undefined ? {} : { hint: hints[entry.href] ?? "" }),
        icon: entry.icon,
        run: () => leave(() => router.push(entry.href)),
      }));
    const other = locales.find((candidate) => candidate !== locale) ?? "en";
    return [
      ...pages,
      {
        id: "create-key",
        label: text.createKey,
        keywords: "new token key",
        icon: Plus,
        run: () => leave(() => router.push("/console/keys?create=1")),
      },
      {
        id: "api-reference",
        label: common.apiReference,
        keywords: "docs openapi help",
        icon: BookOpen,
        run: () => leave(() => router.push("/docs/api")),
      },
      {
        id: "language",
        label: fill(text.switchLanguage, { language: common.languageNames[other] }),
        keywords: "language 语言 english 中文",
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
        keywords: `theme ${theme}`,
        icon: theme === "dark" ? Moon : Sun,
        run: () => chooseTheme(theme),
      })),
      {
        id: "sign-out",
        label: common.signOut,
        keywords: "logout",
        icon: LogOut,
        run: () => void closeSession(),
      },
    ];
  }, [text, common, locale, admin, router]);
}
