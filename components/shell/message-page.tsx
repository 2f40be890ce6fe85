import type { ReactNode } from "react";

/** A page with only a message: not found, an error. */
export function MessagePage(props: { code: string; title: string; body: string; actions: ReactNode }) {
  return (
    <div className="mx-auto grid min-h-[60dvh] max-w-[560px] content-center justify-items-center gap-4 px-4 py-16 text-center">
      <p className="tabular text-sm font-medium text-muted">{props.code}</p>
      <h1 className="text-2xl font-semibold">{props.title}</h1>
      <p className="text-lg text-muted">{props.body}</p>
      <div className="flex flex-wrap justify-center gap-3">{props.actions}</div>
    </div>
  );
}
