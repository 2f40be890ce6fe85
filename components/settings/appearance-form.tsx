"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useShell } from "../api/shell-facts";
import type { Format } from "../i18n/format";
import { cookieNames, locales, numberStyles, type Theme, themes } from "../i18n/locale";
import { setCookie } from "../i18n/preferences";
import { useLanguage, useMessages } from "../i18n/provider";
import { chooseTheme, currentTheme } from "../shell/theme";
import { Checkbox, Field, Select } from "../ui/field";

/** Preferences in cookies, which the server's first response applies. */
export function AppearanceForm() {
  const text = useMessages("settings");
  const common = useMessages("common");
  const { locale, format, chooseTimeZone, numbers } = useLanguage();
  const { shortcuts } = useShell();
  const router = useRouter();
  const [theme, setTheme] = useState<Theme>("system");
  const zones = useZones(format);
  useEffect(() => setTheme(currentTheme()), []);
  function choose(cookie: string, value: string) {
    setCookie(cookie, value);
    router.refresh();
  }
  return (
    <div className="grid gap-4 sm:max-w-[480px]">
      <p className="text-sm text-muted">{text.appearanceLead}</p>
      <Choice
        label={text.language}
        value={locale}
        options={locales.map((value) => ({ value, label: common.languageNames[value] }))}
        onChoose={(value) => choose(cookieNames.locale, value)}
      />
      <Choice
        label={text.theme}
        value={theme}
        options={themes.map((value) => ({ value, label: common.themes[value] }))}
        onChoose={(value) => {
          const next = themes.find((known) => known === value) ?? "system";
          chooseTheme(next);
          setTheme(next);
        }}
      />
      <Choice label={text.timeZone} value={format.timeZone} options={zones} onChoose={chooseTimeZone} />
      <Choice
        label={text.numbers}
        value={numbers}
        options={numberStyles.map((value) => ({ value, label: text.numberStyles[value] }))}
        onChoose={(value) => choose(cookieNames.numbers, value)}
      />
      <Checkbox
        label={text.shortcuts}
        defaultChecked={shortcuts}
        onChange={(event) => choose(cookieNames.shortcuts, event.target.checked ? "on" : "off")}
      />
    </div>
  );
}

/** The zones with their offsets, that of the browser first; the chosen one alone until the browser has told them. */
function useZones({ timeZone, zoneLabel }: Format) {
  const [zones, setZones] = useState<{ value: string; label: string }[]>([]);
  useEffect(() => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const all = new Set([own, "UTC", ...Intl.supportedValuesOf("timeZone")]);
    setZones([...all].map((value) => ({ value, label: zoneLabel(value) })));
  }, [zoneLabel]);
  const isListed = zones.some(({ value }) => value === timeZone);
  return isListed ? zones : [{ value: timeZone, label: zoneLabel(timeZone) }, ...zones];
}

function Choice(props: {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  onChoose: (value: string) => void;
}) {
  return (
    <Field label={props.label}>
      {(control) => (
        <Select
          {...control}
          value={props.value}
          options={props.options}
          onChange={(event) => props.onChoose(event.target.value)}
        />
      )}
    </Field>
  );
}
