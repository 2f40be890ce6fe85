"use client";

import type { AdminUser } from "../../api/admin/types";
import type { KeyRecord } from "../../api/types";
import { useRead } from "../../api/use-read";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { KeyFields } from "../../keys/key-fields";
import { draftOf, keyBody } from "../../keys/key-form-state";
import { Drawer } from "../../ui/drawer";
import { toast } from "../../ui/toast";
import { useAdminCall } from "../use-admin-change";

/** Changes a key of an account, in the form of its owner. */
export function EditUserKey(props: { user: AdminUser; apiKey: KeyRecord; onClose: () => void }) {
  const text = useMessages("keys");
  const words = useMessages("adminUsers").page.keyForm;
  const { timeZone } = useFormat();
  const call = useAdminCall();
  const { user, apiKey, onClose } = props;
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  return (
    <Drawer onClose={onClose} title={fill(text.editTitle, { name: apiKey.name })}>
      <RecordForm
        operation="PATCH /api/admin/users/{id}/tokens/{tokenId}"
        params={{ id: user.id, tokenId: apiKey.id }}
        record={apiKey}
        call={call}
        keep={{ name: `key of account ${apiKey.id}` }}
        initial={draftOf(apiKey, timeZone)}
        toBody={(draft) => keyBody(draft, timeZone)}
        onSent={({ name }) => {
          toast.done(fill(text.savedToast, { name }));
          onClose();
        }}
        submitLabel={text.saveChanges}
        onCancel={onClose}
      >
        <KeyFields
          isNew={false}
          unfolded
          owner={{
            plans: plans.map((plan) => ({ ...plan, current: plan.id === user.planId })),
            anyPlan: true,
            balance: user,
            words,
          }}
        />
      </RecordForm>
    </Drawer>
  );
}
