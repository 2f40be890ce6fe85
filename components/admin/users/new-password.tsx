"use client";

import { TriangleAlert } from "lucide-react";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { CopyField } from "../../ui/copy-field";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Note } from "../../ui/states";

/** A password that was made for the account of this name. */
export interface MadePassword {
  name: string;
  password: string;
  onClose: () => void;
}

/** Shows a made password once. */
export function NewPassword(props: MadePassword) {
  const text = useMessages("adminUsers");
  const common = useMessages("common");
  const title = fill(text.newPassword, { name: props.name });
  return (
    <Dialog open onClose={props.onClose} title={title} size="sm">
      <div className="grid gap-4">
        <Note tone="warning" icon={TriangleAlert}>
          {text.newPasswordOnce}
        </Note>
        <CopyField label={title} text={props.password} className="font-mono" />
        <DialogActions>
          <Button variant="primary" onClick={props.onClose}>
            {common.done}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
