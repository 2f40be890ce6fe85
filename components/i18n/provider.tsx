"use client";

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { type ColumnChoices, writeColumnChoices } from "./column-choices";
import { type Format, makeFormat } from "./format";
import { cookieNames, FIRST_TIME_ZONE, isTimeZone, type Locale, type NumberStyle } from "./locale";
import type { Messages } from "./messages";
import { setCookie } from "./preferences";

interface Language {
  locale: Locale;
  messages: Partial<Messages>;
  format: Format;
  numbers: NumberStyle;
  /** The server knows that a phone asks. */
  isPhone: boolean;
  columns: ColumnChoices;
  chooseColumns: (choices: ColumnChoices) => void;
  chooseTimeZone: (zone: string) => void;
}

const noChoices: ColumnChoices = [];

const LanguageContext = createContext<Language | null>(null);

/** Provides the language to the pages below; the root provides the texts that every page needs. */
export function LanguageProvider(props: {
  locale: Locale;
  timeZone: string | null;
  numbers: NumberStyle;
  messages: Partial<Messages>;
  /** When the server rendered the page. Unit: ms. */
  renderedAtMs: number;
  isPhone: boolean;
  /** The columns of lists that the reader has shown or hidden. */
  columns?: ColumnChoices;
  children: ReactNode;
}) {
  const { locale, numbers, messages, isPhone } = props;
  const now = useClock(props.renderedAtMs);
  const [timeZone, setTimeZone] = useState(props.timeZone ?? FIRST_TIME_ZONE);
  const [columns, setColumns] = useState(props.columns ?? noChoices);
  const stored = props.timeZone;
  useEffect(() => {
    if (stored !== null) return;
    // In a task of its own: the browser's first question for a zone takes as long as a frame.
    const asking = setTimeout(() => {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      if (!isTimeZone(zone)) return;
      setCookie(cookieNames.timeZone, zone);
      setTimeZone(zone);
    });
    return () => clearTimeout(asking);
  }, [stored]);
  const value = useMemo(
    () => ({
      locale,
      messages,
      format: makeFormat(locale, timeZone, numbers, now),
      numbers,
      isPhone,
      columns,
      chooseColumns: (choices: ColumnChoices) => {
        setCookie(cookieNames.columns, writeColumnChoices(choices));
        setColumns(choices);
      },
      chooseTimeZone: (zone: string) => {
        setCookie(cookieNames.timeZone, zone);
        setTimeZone(zone);
      },
    }),
    [columns, isPhone, locale, messages, now, numbers, timeZone],
  );
  return <LanguageContext.Provider value={value}>{props.children}</LanguageContext.Provider>;
}

/** The time; that of the render until the browser has taken over the page, so that both draw the same ages. */
function useClock(renderedAtMs: number): () => number {
  const takenOver = useRef(false);
  useEffect(() => {
    takenOver.current = true;
  }, []);
  return useCallback(() => (takenOver.current ? Date.now() : renderedAtMs), [renderedAtMs]);
}

/** Adds the dictionaries of one part of the site to those of the parts around it. */
export function MoreMessages(props: { messages: Partial<Messages>; children: ReactNode }) {
  const outer = useLanguage();
  const { messages } = props;
  const value = useMemo(
    () => ({ ...outer, messages: { ...outer.messages, ...messages } }),
    [outer, messages],
  );
  return <LanguageContext.Provider value={value}>{props.children}</LanguageContext.Provider>;
}

/** Language, formatters and the zone switch. */
export function useLanguage(): Language {
  const language = useContext(LanguageContext);
  if (language === null) throw new Error("LanguageProvider is missing above this component");
  return language;
}

/** The formatters of the reader's language and zone. */
export function useFormat(): Format {
  return useLanguage().format;
}

/** The dictionary of one area. */
export function useMessages<Area extends keyof Messages>(area: Area): Messages[Area] {
  const messages = useLanguage().messages[area];
  if (messages === undefined) throw new Error(`the messages of "${area}" were not sent to this page`);
  return messages;
}
