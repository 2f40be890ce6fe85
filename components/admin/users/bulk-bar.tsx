"use client";

import { useState } from "react";
import { plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { toast } from "../../ui/toast";
import { BulkGrant, BulkPlan, BulkReactivate, BulkSuspend } from "./bulk-dialogs";
import { BulkFailures } from "./bulk-failures";
import type { Outcome } from "./use-bulk";
import type { Selection } from "./use-selection";

const dialogs = { grant: BulkGrant, plan: BulkPlan, suspend: BulkSuspend, reactivate: BulkReactivate };

/** What can be done with all ticked accounts at once; it stays in view while the list scrolls. */
export function BulkBar({ selection }: { selection: Selection }) {
  const text = useMessages("adminUsers").bulk;
  const format = useFormat();
  const [task, setTask] = useState<keyof typeof dialogs | null>(null);
  const [failed, setFailed] = useState<{ done: number; failures: Outcome[] } | null>(null);
  const { users } = selection;
  const suspended = users.some((user) => user.status === "suspended");
  const Dialog = task === null ? null : dialogs[task];
  function finish(outcomes: Outcome[]) {
    const failures = outcomes.filter(({ error }) => error !== null);
    const done = outcomes.length - failures.length;
    setTask(null);
    if (failures.length > 0) return setFailed({ done, failures });
    selection.keep([]);
    toast.done(plural(text.done, done, format.locale));
  }
  return (
    <section
      aria-label={text.region}
      className="sticky bottom-4 z-10 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border bg-page px-3 py-2 shadow-float"
    >
      <span role="status" className="tabular px-1 text-sm font-medium">
        {plural(text.selected, users.length, format.locale)}
      </span>
      <Button size="sm" onClick={() => setTask("grant")}>
        {text.grant}
      </Button>
      <Button size="sm" onClick={() => setTask("plan")}>
        {text.plan}
      </Button>
      <Button size="sm" onClick={() => setTask("suspend")}>
        {text.suspend}
      </Button>
      {suspended && (
        <Button size="sm" onClick={() => setTask("reactivate")}>
          {text.reactivate}
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={() => selection.keep([])}>
        {text.clear}
      </Button>
      {Dialog !== null && <Dialog users={users} onDone={finish} onClose={() => setTask(null)} />}
      {failed !== null && (
        <BulkFailures
          {...failed}
          users={users}
          onClose={() => {
            selection.keep(failed.failures.map(({ id }) => id));
            setFailed(null);
          }}
        />
      )}
    </section>
  );
}
