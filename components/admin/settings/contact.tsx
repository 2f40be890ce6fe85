"use client";

import { TextField } from "@/components/forms/fields";
import { RecordForm } from "@/components/forms/record-form";
import { useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { toast } from "../../ui/toast";
import { useAdminSettings } from "../queries";
import { QueryRegion } from "../query-region";
import type { AdminSettings } from "../types";
import { useAdminCall } from "../use-admin-change";

/** How users reach the admins. */
export function ContactSetting() {
  const text = useMessages("adminSettings").contact;
  const settings = useAdminSettings(true);
  return (
    <Card title={text.title}>
      <QueryRegion query={settings}>
        {(stored) => <ContactForm key={stored.contact} stored={stored} />}
      </QueryRegion>
    </Card>
  );
}

function ContactForm({ stored }: { stored: AdminSettings }) {
  const text = useMessages("adminSettings").contact;
  const common = useMessages("common");
  const call = useAdminCall();
  return (
    <div className="max-w-lg">
      <RecordForm
        operation="PATCH /api/admin/settings"
        record={stored}
        call={call}
        initial={{ contact: stored.contact ?? "" }}
        toBody={({ contact }) => ({ contact: contact.trim() === "" ? null : contact.trim() })}
        onSent={() => toast.done(text.saved)}
        submitLabel={common.save}
      >
        <TextField<{ contact: string }> optional name="contact" label={text.label} hint={text.hint} />
      </RecordForm>
    </div>
  );
}
