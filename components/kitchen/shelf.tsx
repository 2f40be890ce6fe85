import type { ReactNode } from "react";

/** Variants of one component side by side, under its name. */
export function Shelf(props: { name: string; stacked?: boolean; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-2">
      <h3 className="font-mono text-xs text-muted">{props.name}</h3>
      <div className={props.stacked === true ? "grid min-w-0 gap-3" : "flex flex-wrap items-center gap-3"}>
        {props.children}
      </div>
    </div>
  );
}
