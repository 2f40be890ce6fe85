import type { ReactNode } from "react";

/** A part of a drawer. */
export function Part(props: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-2">
      <h3 className="text-sm font-semibold wrap-anywhere">{props.title}</h3>
      {props.children}
    </section>
  );
}
