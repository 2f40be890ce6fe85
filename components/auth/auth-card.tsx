import type { ReactNode } from "react";

/** The narrow card of login and registration. */
export function AuthCard(props: { title: string; lead?: string | undefined; children: ReactNode }) {
  return (
    <div className="mx-auto grid w-full max-w-[432px] gap-6 px-4 py-12 sm:py-16">
      <header className="grid gap-1 text-center">
        <h1 className="text-2xl font-semibold">{props.title}</h1>
        {props.lead !== undefined && <p className="text-muted">{props.lead}</p>}
      </header>
      <div className="rounded-lg border bg-page p-6">{props.children}</div>
    </div>
  );
}
