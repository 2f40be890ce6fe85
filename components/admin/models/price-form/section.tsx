"use client";

import { type ReactNode, useState } from "react";
import { useFormContext } from "react-hook-form";
import { More } from "../../../forms/fields";

/** A part of the form that few models need; open at the beginning where something is typed in it. */
export function PriceSection<Values>(props: {
  label: string;
  hint?: string | undefined;
  /** The fields that it is about. */
  names: string[];
  isUsed: (values: Values[]) => boolean;
  children: ReactNode;
}) {
  const { getValues } = useFormContext();
  const [open] = useState(() => props.isUsed(getValues(props.names)));
  return (
    <More label={props.label} open={open}>
      {props.hint !== undefined && <p className="text-sm text-muted">{props.hint}</p>}
      {props.children}
    </More>
  );
}

/** Whether something is typed in one of several fields. */
export function isTyped(values: string[]): boolean {
  return values.some((typed) => typed.trim() !== "");
}

/** Whether one of several lists has an entry. */
export function hasEntries(lists: unknown[][]): boolean {
  return lists.some((list) => list.length > 0);
}
