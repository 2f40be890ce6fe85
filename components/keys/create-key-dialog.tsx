"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useWatch } from "react-hook-form";
import { keyState } from "../api/key-state";
import { refreshKeys, refreshUse } from "../api/refresh";
import type { CreatedKey, KeyRecord } from "../api/types";
import { RecordForm } from "../forms/record-form";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Dialog, DialogActions } from "../ui/dialog";
import { focusMain } from "../ui/focus-main";
import { Note } from "../ui/states";
import { useBackGuard } from "../ui/use-back-guard";
import { KeyFields } from "./key-fields";
import { draftOf, emptyDraft, type KeyDraft, newKeyBody } from "./key-form-state";
import { useKeyOwner } from "./key-owner";
import { ProjectField } from "./project-field";
import { RevealStep } from "./reveal-step";

interface DialogProps {
  open: boolean;
  replaces?: KeyRecord | null;
  /** The project that the key is made for; unless given the form asks, where there are projects. */
  projectId?: string;
  onClose: () => void;
  onCreated?: () => void;
}

/** Two steps in one dialog: the settings of the key, then the secret, shown once. */
export function CreateKeyDialog(props: DialogProps) {
  const text = useMessages("keys");
  // Only this component holds the response; closing the dialog discards it.
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const [saved, setSaved] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [sending, setSending] = useState(false);
  useEffect(() => restoreFocus, []);
  const { release } = useBackGuard({
    open: created !== null,
    mayLeave: saved,
    onBack: () => (saved ? void close() : setLeaving(true)),
  });
  const client = useQueryClient();
  async function close() {
    await release();
    // Calls that were made with the new key meanwhile.
    if (created !== null) void refreshUse(client);
    setCreated(null);
    setSaved(false);
    setLeaving(false);
    props.onClose();
  }
  function wantsToClose() {
    if (sending) return; // the answer holds the only copy of the secret
    if (created === null || saved) void close();
    else setLeaving(true);
  }
  function title() {
    if (leaving) return text.reveal.leaveTitle;
    if (created !== null) return text.reveal.title;
    return props.replaces ? fill(text.replacement.title, { name: props.replaces.name }) : text.createTitle;
  }
  return (
    <Dialog
      open={props.open}
      onClose={wantsToClose}
      title={title()}
      size={created === null ? "md" : "lg"}
      hideClose={created !== null}
    >
      {created === null ? (
        <CreateStep
          replaces={props.replaces ?? null}
          projectId={props.projectId ?? null}
          onCreated={(answer) => {
            setCreated(answer);
            props.onCreated?.();
          }}
          onSending={setSending}
          onCancel={wantsToClose}
        />
      ) : (
        <>
          {leaving && <LeaveStep onStay={() => setLeaving(false)} onLeave={close} />}
          <div hidden={leaving} className="grid gap-4">
            {props.replaces && <ReplacedKey apiKey={props.replaces} />}
            <RevealStep secret={created.key} apiKey={created.apiKey} onSaved={setSaved} onDone={close} />
          </div>
        </>
      )}
    </Dialog>
  );
}

/** The button that opened the dialog may have gone with the empty list. The dialog first tries to focus it itself. */
function restoreFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) focusMain();
  });
}

function CreateStep(props: {
  replaces: KeyRecord | null;
  projectId: string | null;
  onCreated: (answer: CreatedKey) => void;
  onSending: (sending: boolean) => void;
  onCancel: () => void;
}) {
  const text = useMessages("keys");
  const { timeZone } = useFormat();
  const client = useQueryClient();
  const { replaces, projectId } = props;
  const initial: KeyDraft =
    replaces === null
      ? { ...emptyDraft, projectId: projectId ?? "" }
      : { ...draftOf(replaces, timeZone), expiry: "never", expiresAt: "" };
  return (
    <RecordForm
      operation="POST /api/user/tokens"
      keep={{ name: "key" }}
      initial={initial}
      toBody={(draft) => newKeyBody(draft, timeZone)}
      onSent={async (answer) => {
        props.onCreated(answer);
        await refreshKeys(client);
      }}
      submitLabel={text.submit}
      sendingLabel={text.sending}
      onSubmitting={props.onSending}
      onCancel={props.onCancel}
    >
      {replaces !== null && <ReplacedKey apiKey={replaces} />}
      <NewKeyFields unfolded={replaces !== null} asksProject={projectId === null && replaces === null} />
    </RecordForm>
  );
}

/** The fields of a new key; what it may have depends on who pays it. */
function NewKeyFields(props: { unfolded: boolean; asksProject: boolean }) {
  const projectId: string = useWatch({ name: "projectId" });
  const owner = useKeyOwner(projectId || null);
  return (
    <>
      {props.asksProject && <ProjectField />}
      <KeyFields isNew unfolded={props.unfolded} owner={owner} />
    </>
  );
}

/** What becomes of the key that is replaced: nothing, by itself. */
function ReplacedKey({ apiKey }: { apiKey: KeyRecord }) {
  const text = useMessages("keys").replacement;
  const format = useFormat();
  const { name, expiresAt } = apiKey;
  const state = apiKey.blocked ? "blocked" : keyState(apiKey);
  const expires = state === "active" && expiresAt !== null;
  return (
    <Note tone="info">
      {expires
        ? fill(text.expiring, { name, time: format.dateTime(expiresAt) })
        : fill(text[state], { name })}
    </Note>
  );
}

function LeaveStep(props: { onStay: () => void; onLeave: () => void }) {
  const text = useMessages("keys").reveal;
  const [before] = useState(() => document.activeElement);
  function stay() {
    flushSync(props.onStay);
    if (before instanceof HTMLElement) before.focus();
  }
  return (
    <div role="alert">
      <p>{text.leaveBody}</p>
      <DialogActions>
        <Button variant="danger" onClick={props.onLeave}>
          {text.leave}
        </Button>
        <Button variant="primary" autoFocus onClick={stay}>
          {text.stay}
        </Button>
      </DialogActions>
    </div>
  );
}
