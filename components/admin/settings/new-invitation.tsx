"use client";

import { useState } from "react";
import { typedMoment, typedWhole, typedYuan } from "@/lib/shared/typed";
import type { Invitation } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { MomentField, MoneyField, SelectField, TextField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { CopyField } from "../../ui/copy-field";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Drawer } from "../../ui/drawer";
import { useAdminCall } from "../use-admin-change";

/** The link that an invitation is sent as. */
export function useLinkOf(): (invitation: Invitation) => string {
  const settings = useRead("GET /api/admin/settings").data;
  return ({ code }) => `${settings?.setAtStart.publicUrl ?? ""}/register?invite=${code}`;
}

/** Makes an invitation, and shows its link. */
export function NewInvitation(props: { onClose: () => void }) {
  const [made, setMade] = useState<Invitation | null>(null);
  const linkOf = useLinkOf();
  if (made === null) return <CreateInvitation onClose={props.onClose} onMade={setMade} />;
  return <InvitationMade link={linkOf(made)} onClose={props.onClose} />;
}

type Draft = typeof emptyDraft;
const emptyDraft = { note: "", maxUses: "1", expiresAt: "", planId: "", quotaCents: "" };

function CreateInvitation(props: { onClose: () => void; onMade: (invitation: Invitation) => void }) {
  const text = useMessages("adminSettings").invitations;
  const format = useFormat();
  const call = useAdminCall();
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  return (
    <Drawer onClose={props.onClose} title={text.createTitle}>
      <RecordForm
        operation="POST /api/admin/invitations"
        call={call}
        keep={{ name: "invitation" }}
        initial={emptyDraft}
        toBody={(draft) => ({
          note: draft.note.trim(),
          maxUses: typedWhole(draft.maxUses),
          expiresAt: typedMoment(draft.expiresAt, format.timeZone) ?? null,
          planId: draft.planId === "" ? null : Number(draft.planId),
          quotaCents: typedYuan(draft.quotaCents),
        })}
        onSent={props.onMade}
        submitLabel={text.make}
        onCancel={props.onClose}
      >
        <TextField<Draft> name="note" label={text.note} hint={text.noteHint} optional />
        <TextField<Draft> name="maxUses" label={text.maxUses} hint={text.maxUsesHint} inputMode="numeric" />
        <MomentField<Draft>
          name="expiresAt"
          label={fill(text.expires, { zone: format.zoneLabel() })}
          hint={text.expiresHint}
          optional
        />
        <SelectField<Draft>
          name="planId"
          label={text.plan}
          options={[
            { value: "", label: text.asEveryAccount },
            ...plans.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          hint={text.planHint}
        />
        <MoneyField<Draft>
          name="quotaCents"
          label={text.quota}
          optional
          hint={(typed) => (typed.trim() === "" ? text.quotaEmpty : format.typedMoney(typed, text.quotaHint))}
        />
      </RecordForm>
    </Drawer>
  );
}

/** The link to send, right after an invitation is made. */
function InvitationMade(props: { link: string; onClose: () => void }) {
  const text = useMessages("adminSettings").invitations;
  const common = useMessages("common");
  return (
    <Dialog open onClose={props.onClose} title={text.made} size="sm">
      <div className="grid gap-4">
        <p className="text-sm">{text.madeBody}</p>
        <CopyField label={text.link} text={props.link} copyLabel={text.copy} />
        <DialogActions>
          <Button variant="primary" onClick={props.onClose}>
            {common.done}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
