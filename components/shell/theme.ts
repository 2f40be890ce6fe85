import { Monitor, Moon, Sun } from "lucide-react";
import { cookieNames, type Theme } from "../i18n/locale";
import { setCookie } from "../i18n/preferences";

export const themeIcons = { light: Sun, dark: Moon, system: Monitor };

/** Changes the theme at once and for the next visit. */
export function chooseTheme(theme: Theme): void {
  setCookie(cookieNames.theme, theme);
  document.documentElement.dataset.theme = theme;
}

/** The theme the page has now. */
export function currentTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === "light" || theme === "dark" ? theme : "system";
}
