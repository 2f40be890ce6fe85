"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { cookieNames, locales, numberStyles, type Theme, themes } from "../i18n/locale";
import { setCookie } from "../i18n/preferences";
import { useLanguage, useMessages } from "../i18n/provider";
import { useShell } from "../shell/shell-context";
import { chooseTheme, currentTheme } from "../shell/theme";
import { Card } from "../ui/card";
import { Checkbox, Field, Select } from "../ui/field";

/** Choices that live in cookies: the server's first answer already honours them. */
export function AppearanceCard() {
  const text = useMessages("settings");
  const common = useMessages("common");
  const { locale, format, chooseTimeZone, numbers } = useLanguage();
  const { shortcuts } = useShell();
  const router = useRouter();
  const [theme, setTheme] = useState<Theme>("system");
  const [zones, setZones] = useState<string[]>([]);
  useEffect(() => {
    setTheme(currentTheme());
    setZones(Intl.supportedValuesOf("timeZone"));
  }, []);
  function choose(cookie: string, value: string) {
    setCookie(cookie, value);
    router.refresh();
  }
  return (
    <Card title={text.appearance}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={text.language}>
          {(control) => (
            <Select
              {...control}
              value={locale}
              options={locales.map((value) => ({ value, label: common.languageNames[value] }))}
              onChange={(event) => choose(cookieNames.locale, event.target.value)}
            />
          )}
        </Field>
        <Field label={text.theme}>
          {(control) => (
            <Select
              {...control}
              value={theme}
              options={themes.map((value) => ({ value, label: common.themes[value] }))}
              onChange={(event) => {
                const next = themes.find((value) => value === event.target.value) ?? "system";
                chooseTheme(next);
                setTheme(next);
              }}
            />
          )}
        </Field>
        <Field label={text.timeZone}>
          {(control) => (
            <Select
              {...control}
              value={format.timeZone}
              options={[...new Set(["UTC", format.timeZone, ...zones])].map((value) => ({
                value,
                label: value,
              }))}
              onChange={(event) => chooseTimeZone(event.target.value)}
            />
          )}
        </Field>
        <Field label={text.numbers}>
          {(control) => (
            <Select
              {...control}
              value={numbers}
              options={numberStyles.map((value) => ({ value, label: text.numberStyles[value] }))}
              onChange={(event) => choose(cookieNames.numbers, event.target.value)}
            />
          )}
        </Field>
        <Checkbox
          label={text.shortcuts}
          defaultChecked={shortcuts}
          onChange={(event) => choose(cookieNames.shortcuts, event.target.checked ? "on" : "off")}
        />
      </div>
    </Card>
  );
}
