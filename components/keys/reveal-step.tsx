"use client";

import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { keyState } from "../api/key-state";
import { useShell } from "../api/shell-facts";
import type { KeyRecord } from "../api/types";
import { useMessages } from "../i18n/provider";
import { envLines } from "../snippets/snippets";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { DialogActions } from "../ui/dialog";
import { Checkbox, Input } from "../ui/field";
import { Note } from "../ui/states";
import { FirstCallStep } from "./first-call-step";

/** Shows the secret once. Only the parent's state holds it. Who copies it or says that it is saved can go on. */
export function RevealStep(props: {
  secret: string;
  apiKey: KeyRecord;
  onSaved: (saved: boolean) => void;
  onDone: () => void;
}) {
  const text = useMessages("keys").reveal;
  const { publicUrl } = useShell();
  const [confirmed, confirm] = useState(false);
  const [wasCopied, setCopied] = useState(false);
  const copied = () => {
    setCopied(true);
    props.onSaved(true);
  };
  return (
    <div className="grid gap-4">
      <Note tone="warning" icon={TriangleAlert}>
        {text.once}
      </Note>
      <div className="grid gap-2">
        <Input
          readOnly
          autoFocus
          spellCheck={false}
          autoComplete="off"
          aria-label={text.label}
          value={props.secret}
          onFocus={({ target }) => selectFromStart(target)}
          className="bg-card font-mono text-sm"
        />
        <div className="flex flex-wrap gap-2">
          <CopyButton
            text={props.secret}
            label={text.copyKey}
            variant="primary"
            size="md"
            onCopied={copied}
          />
          <CopyButton
            text={envLines({ baseUrl: publicUrl, apiKey: props.secret })}
            label={text.copyEnv}
            size="md"
            onCopied={copied}
          />
        </div>
      </div>
      {keyState(props.apiKey) === "exhausted" ? (
        <Note tone="warning" icon={TriangleAlert}>
          {text.noQuota}
        </Note>
      ) : (
        <FirstCallStep keyId={props.apiKey.id} secret={props.secret} models={props.apiKey.models} />
      )}
      <DialogActions>
        <Checkbox
          className="mr-auto self-center"
          label={text.saved}
          checked={confirmed}
          onChange={({ target }) => {
            confirm(target.checked);
            props.onSaved(target.checked || wasCopied);
          }}
        />
        <Button variant="primary" disabled={!confirmed && !wasCopied} onClick={props.onDone}>
          {text.done}
        </Button>
      </DialogActions>
    </div>
  );
}

/** Selects all, and shows the beginning, which some browsers scroll out of a narrow field. */
function selectFromStart(field: HTMLInputElement): void {
  field.setSelectionRange(0, field.value.length, "backward");
  requestAnimationFrame(() => {
    field.scrollLeft = 0;
  });
}
