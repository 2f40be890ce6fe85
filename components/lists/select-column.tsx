"use client";

import type { Column } from "../ui/columns";
import type { Selection } from "./use-selection";

/** The column with the check boxes that tick rows: one for each, and one in the head for all that are shown. */
export function selectColumn<T extends { id: string }>(props: {
  rows: T[];
  selection: Selection<T>;
  /** Of the box in the head, with a hint. */
  label: string;
  hint: string;
  /** The rows are those of the filters before: what is found may be others. */
  old?: boolean;
  labelOf: (row: T) => string;
}): Column<T> {
  const { selection } = props;
  const selectable = props.rows.filter(selection.takes);
  const all = selectable.length > 0 && selectable.every(({ id }) => selection.has(id));
  return {
    id: "select",
    head: props.label,
    card: "corner",
    className: "w-8 pr-0",
    headCell: (
      <Tick
        label={props.label}
        hint={props.hint}
        ticked={all}
        disabled={props.old}
        onTick={(ticked) => selection.set(selectable, ticked)}
      />
    ),
    cell: (row) =>
      selection.takes(row) && (
        <Tick
          label={props.labelOf(row)}
          ticked={selection.has(row.id)}
          onTick={(ticked, held) => selection.tick(row, ticked, { held, rows: selectable })}
        />
      ),
  };
}

/** A check box whose surroundings are a target too. */
function Tick(props: {
  label: string;
  hint?: string;
  ticked: boolean;
  disabled?: boolean | undefined;
  /** `held`: with the Shift key. */
  onTick: (ticked: boolean, held: boolean) => void;
}) {
  return (
    <label
      title={props.hint}
      // With Shift the browser would select the text between.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      className="-m-1.5 flex w-fit cursor-pointer p-1.5 pointer-coarse:p-3"
    >
      <input
        type="checkbox"
        aria-label={props.label}
        checked={props.ticked}
        disabled={props.disabled}
        onChange={({ target, nativeEvent }) =>
          props.onTick(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
        className="check-box"
      />
    </label>
  );
}
