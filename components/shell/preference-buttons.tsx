"use client";

import { Languages } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { fill } from "../i18n/fill";
import { cookieNames, locales, type Theme, themes } from "../i18n/locale";
import { setCookie } from "../i18n/preferences";
import { useLanguage, useMessages } from "../i18n/provider";
import { buttonClass, menuRowClass } from "../ui/button";
import { chooseTheme, currentTheme, themeIcons } from "./theme";

/** Cycles through light, dark and system theme. `named`: a row of a menu, with its words. */
export function ThemeButton({ named = false }: { named?: boolean }) {
  const text = useMessages("common");
  const [theme, setTheme] = useState<Theme>("system");
  useEffect(() => setTheme(currentTheme()), []);
  const Icon = themeIcons[theme];
  function step() {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
    chooseTheme(next);
    setTheme(next);
  }
  const label = `${text.theme}: ${text.themes[theme]}`;
  return (
    <button
      type="button"
      onClick={step}
      aria-label={label}
      title={label}
      className={named ? menuRowClass : buttonClass("ghost", "icon")}
    >
      <Icon aria-hidden className="size-4" />
      {named && label}
    </button>
  );
}

/** Switches to the other language; `named` as above. */
export function LanguageButton({ named = false }: { named?: boolean }) {
  const text = useMessages("common");
  const { locale } = useLanguage();
  const router = useRouter();
  const other = locales.find((candidate) => candidate !== locale) ?? "en";
  function change() {
    setCookie(cookieNames.locale, other);
    document.documentElement.lang = other;
    router.refresh();
  }
  const label = fill(text.switchLanguage, { language: text.languageNames[other] });
  return (
    <button
      type="button"
      onClick={change}
      aria-label={label}
      title={label}
      className={named ? menuRowClass : buttonClass("ghost", "icon")}
    >
      <Languages aria-hidden className="size-4" />
      {named && label}
    </button>
  );
}
