"use client";

import type { AccountStatement } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";

/** Whether a month is closed. `at`: when its statement was read, in ms since 1970. */
export function MonthState(props: { statement: Pick<AccountStatement, "closesAt">; at: number }) {
  const text = useMessages("statement");
  const format = useFormat();
  const { closesAt } = props.statement;
  const moment = (date: Date | string) => `${format.dateTime(date)} ${format.zoneLabel()}`;
  return (
    <p className="text-sm text-muted">
      {closesAt === null
        ? text.final
        : fill(text.running, { at: moment(new Date(props.at)), closes: moment(closesAt) })}
    </p>
  );
}
