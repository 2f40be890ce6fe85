"use client";

import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useModels } from "../api/queries";
import { useMessages } from "../i18n/provider";
import { useShell } from "../shell/shell-context";
import { SnippetTabs } from "../snippets/snippet-tabs";
import { envLines, modelToTry } from "../snippets/snippets";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { DialogActions } from "../ui/dialog";
import { Checkbox, Input } from "../ui/field";
import { Note } from "../ui/states";

/** Shows the secret once. Only the parent's state holds it. */
export function RevealStep(props: {
  secret: string;
  models: string[] | null;
  onSaved: (saved: boolean) => void;
  onDone: () => void;
}) {
  const text = useMessages("keys").reveal;
  const { publicUrl } = useShell();
  const [saved, setSaved] = useState(false);
  const known = useModels().data?.data ?? [];
  const allowed = known.filter(({ id }) => props.models?.includes(id) ?? true);
  const model = allowed.length === 0 ? (props.models?.[0] ?? "MODEL") : modelToTry(allowed);
  function confirm(on: boolean) {
    setSaved(on);
    props.onSaved(on);
  }
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
          onFocus={(event) => event.target.select()}
          className="bg-card font-mono text-sm"
        />
        <div className="flex flex-wrap gap-2">
          <CopyButton text={props.secret} label={text.copyKey} variant="primary" size="md" />
          <CopyButton
            text={envLines({ baseUrl: publicUrl, apiKey: props.secret })}
            label={text.copyEnv}
            size="md"
          />
        </div>
      </div>
      <section className="grid min-w-0 gap-2" aria-label={text.firstCall}>
        <h3 className="text-sm font-medium">{text.firstCall}</h3>
        <SnippetTabs baseUrl={publicUrl} apiKey={props.secret} model={model} />
      </section>
      <DialogActions>
        <Checkbox
          className="mr-auto self-center"
          label={text.saved}
          checked={saved}
          onChange={(event) => confirm(event.target.checked)}
        />
        <Button variant="primary" disabled={!saved} onClick={props.onDone}>
          {text.done}
        </Button>
      </DialogActions>
    </div>
  );
}
