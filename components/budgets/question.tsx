import type { ReactNode } from "react";

/** One question of the form with its fields. */
export function Question(props: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-3 rounded-md border p-3">
      <legend className="px-1 text-sm font-semibold">{props.title}</legend>
      {props.children}
    </fieldset>
  );
}
