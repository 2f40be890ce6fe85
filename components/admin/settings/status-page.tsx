"use client";

import type { AdminSettings } from "../../api/admin/types";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { CheckField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { TextLink } from "../../ui/link";
import { toast } from "../../ui/toast";
import { useAdminCall } from "../use-admin-change";

const PATH = "/status";

/** Whether the status page is public. */
export function StatusPage() {
  const text = useMessages("adminSettings").status;
  const settings = useRead("GET /api/admin/settings");
  return (
    <Card title={text.title}>
      <QueryRegion query={settings}>
        {(stored) => <StatusForm key={String(stored.statusPage)} stored={stored} />}
      </QueryRegion>
    </Card>
  );
}

function StatusForm({ stored }: { stored: AdminSettings }) {
  const text = useMessages("adminSettings").status;
  const common = useMessages("common");
  const call = useAdminCall();
  const [before, after] = text.hint.split("{path}");
  return (
    <RecordForm
      operation="PATCH /api/admin/settings"
      record={stored}
      call={call}
      initial={{ statusPage: stored.statusPage }}
      toBody={({ statusPage }) => ({ statusPage })}
      onSent={({ statusPage }) => toast.done(statusPage ? text.on : text.off)}
      submitLabel={common.save}
    >
      <div className="grid gap-2">
        <CheckField name="statusPage" label={text.label} />
        <p className="prose-width text-sm text-muted">
          {before}
          {stored.statusPage ? <TextLink href={PATH}>{PATH}</TextLink> : <code>{PATH}</code>}
          {after}
        </p>
      </div>
    </RecordForm>
  );
}
