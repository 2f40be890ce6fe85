"use client";

import { useQueryClient } from "@tanstack/react-query";
import { refreshKeys } from "../api/refresh";
import type { KeyRecord } from "../api/types";
import { RecordForm } from "../forms/record-form";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Drawer } from "../ui/drawer";
import { toast } from "../ui/toast";
import { KeyFields } from "./key-fields";
import { draftOf, keyBody } from "./key-form-state";
import { useKeyOwner } from "./key-owner";

/** Changes a key. */
export function EditKeySheet(props: { apiKey: KeyRecord; onClose: () => void }) {
  const text = useMessages("keys");
  const { timeZone } = useFormat();
  const client = useQueryClient();
  const { apiKey, onClose } = props;
  const owner = useKeyOwner(apiKey.projectId);
  return (
    <Drawer onClose={onClose} title={fill(text.editTitle, { name: apiKey.name })}>
      <RecordForm
        operation="PATCH /api/user/tokens/{id}"
        params={{ id: apiKey.id }}
        keep={{ name: `key ${apiKey.id}` }}
        initial={draftOf(apiKey, timeZone)}
        toBody={(draft) => keyBody(draft, timeZone)}
        onSent={async ({ name }) => {
          await refreshKeys(client);
          toast.done(fill(text.savedToast, { name }));
          onClose();
        }}
        submitLabel={text.saveChanges}
        onCancel={onClose}
      >
        <KeyFields isNew={false} unfolded owner={owner} />
      </RecordForm>
    </Drawer>
  );
}
