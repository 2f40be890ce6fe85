"use client";

import { useRouter } from "next/navigation";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { TextField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { toast } from "../../ui/toast";
import { useAdminCall } from "../use-admin-change";

/** A setting that is one text: what the gateway is called, or how users reach the admins. */
export function TextSetting({ name }: { name: "name" | "contact" }) {
  const text = useMessages("adminSettings")[name];
  const settings = useRead("GET /api/admin/settings");
  return (
    <Card title={text.title}>
      <QueryRegion query={settings}>
        {(stored) => <TextForm key={stored[name]} name={name} stored={stored[name] ?? ""} />}
      </QueryRegion>
    </Card>
  );
}

function TextForm({ name, stored }: { name: "name" | "contact"; stored: string }) {
  const text = useMessages("adminSettings")[name];
  const common = useMessages("common");
  const call = useAdminCall();
  const router = useRouter();
  return (
    <div className="max-w-lg">
      <RecordForm
        operation="PATCH /api/admin/settings"
        record={{ [name]: stored === "" ? null : stored }}
        call={call}
        initial={{ [name]: stored }}
        toBody={({ [name]: typed = "" }) => ({ [name]: typed.trim() === "" ? null : typed.trim() })}
        onSent={() => {
          // The server writes it into the frame around this page.
          router.refresh();
          toast.done(text.saved);
        }}
        submitLabel={common.save}
      >
        <TextField<Record<string, string>> optional name={name} label={text.label} hint={text.hint} />
      </RecordForm>
    </div>
  );
}
