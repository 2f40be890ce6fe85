"use client";

import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { Checkbox } from "../../ui/field";
import { TextLink } from "../../ui/link";
import { useAdminSettings } from "../queries";
import { QueryRegion } from "../query-region";
import { useAdminChange } from "../use-admin-change";

/** Switches the public status page on and off. */
export function StatusPageSwitch() {
  const text = useMessages("adminSettings").status;
  const settings = useAdminSettings(true);
  const change = useAdminChange(text.failed);
  return (
    <Card title={text.title}>
      <QueryRegion query={settings}>
        {({ statusPage }) => (
          <div className="grid gap-2">
            <Checkbox
              label={text.label}
              checked={change.isPending ? !statusPage : statusPage}
              disabled={change.isPending}
              onChange={(event) => {
                const wanted = event.target.checked;
                change.mutate({
                  send: (call) => call("PATCH /api/admin/settings", { body: { statusPage: wanted } }),
                  done: wanted ? text.on : text.off,
                });
              }}
            />
            <p className="prose-width text-sm text-muted">{fill(text.hint, { path: "/status" })}</p>
            {statusPage && (
              <p>
                <TextLink href="/status">{text.open}</TextLink>
              </p>
            )}
          </div>
        )}
      </QueryRegion>
    </Card>
  );
}
