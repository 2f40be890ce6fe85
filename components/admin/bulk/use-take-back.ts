"use client";

import { errorMessage } from "../../api/error-message";
import { type Plural, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import type { Selection } from "../../lists/use-selection";
import { toast } from "../../ui/toast";
import type { BulkResult } from "./outcomes";

/** A change of several records that are to become the same. */
export interface Step<Row, Body> {
  body: Body;
  rows: Row[];
  /** What they are now: a record that somebody else has changed since stays as it is. */
  loaded: object;
}

/** Of records that are as they were, so many are named. */
const MOST_NAMED = 8;

/** Takes a change of several records back; what stays as it is then is told by name. */
export function useTakeBack<Row extends { id: string }, Body>(props: {
  selection: Selection<Row>;
  change: (rows: Row[], body: Body, loaded: object) => Promise<BulkResult<Row, Body>>;
  nameOf: (row: Row) => string;
  /** Says how many are as they were before. */
  undone: Plural;
}): (steps: Step<Row, Body>[]) => Promise<void> {
  const failed = useMessages("admin").changeFailed;
  const common = useMessages("common");
  const format = useFormat();
  return async (steps) => {
    const done: Row[] = [];
    const refusals: string[] = [];
    for (const { rows, body, loaded } of steps) {
      const told = (row: Row, message: string) => refusals.push(`${props.nameOf(row)}: ${message}`);
      try {
        const { outcomes } = await props.change(rows, body, loaded);
        const errors = new Map(outcomes.map(({ id, error }) => [id, error]));
        for (const row of rows) {
          const error = errors.get(row.id);
          if (error) told(row, error.message);
          else done.push(row);
        }
      } catch (error) {
        for (const row of rows) told(row, errorMessage(error, common));
      }
    }
    props.selection.renew(done);
    if (done.length > 0) toast.done(plural(props.undone, done.length, format.locale));
    if (refusals.length > 0) toast.failed(failed, refusals.slice(0, MOST_NAMED).join(" "));
  };
}
