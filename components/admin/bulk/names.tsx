"use client";

import { type Plural, plural } from "../../i18n/fill";
import { useFormat } from "../../i18n/provider";

const SHOWN_NAMES = 8;

/** Whom or what it concerns; of many the first, and how many more. */
export function Names(props: { names: string[]; words: { andMore: Plural; nameGap: string } }) {
  const format = useFormat();
  const { words } = props;
  const names = props.names.slice(0, SHOWN_NAMES);
  const more = props.names.length - names.length;
  return (
    <p className="text-sm wrap-anywhere text-muted">
      {more > 0
        ? plural(words.andMore, more, format.locale, { names: names.join(words.nameGap) })
        : format.list(names)}
    </p>
  );
}
