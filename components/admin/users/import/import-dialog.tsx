"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { CheckedList, CheckedRow } from "@/lib/shared/user-import/check-list";
import { keyUnder } from "../../../api/read";
import { DiscardGuard } from "../../../forms/discard-guard";
import { useMessages } from "../../../i18n/provider";
import { Dialog } from "../../../ui/dialog";
import { CheckStep } from "./check-step";
import { ListStep } from "./list-step";
import { ProgressStep } from "./progress-step";
import { ResultStep } from "./result-step";
import { type Sent, sendList } from "./send-list";

type Step =
  | { name: "list" }
  | { name: "check"; checked: CheckedList }
  | { name: "progress"; total: number; sent: Sent }
  | { name: "result"; sent: Sent };

/** Makes the accounts of a list: the list, what is wrong with it, the progress, and the passwords. */
export function ImportDialog(props: { onClose: () => void }) {
  const text = useMessages("adminUsers").import;
  const client = useQueryClient();
  const [list, setList] = useState("");
  const [step, setStep] = useState<Step>({ name: "list" });
  const [saved, setSaved] = useState(false);
  const stop = useRef(new AbortController());
  async function send(rows: readonly CheckedRow[]) {
    stop.current = new AbortController();
    const show = (sent: Sent) => setStep({ name: "progress", total: rows.length, sent });
    show({ made: [], failed: [], left: [...rows] });
    const sent = await sendList(rows, stop.current.signal, show);
    setStep({ name: "result", sent });
    await client.invalidateQueries({ queryKey: keyUnder("/api/admin") });
  }
  const ended = step.name === "result";
  const unsaved = ended ? step.sent.made.length > 0 && !saved : list.trim() !== "";
  return (
    <Dialog open onClose={props.onClose} title={text.title} size="lg">
      {step.name === "list" && (
        <ListStep list={list} onList={setList} onChecked={(checked) => setStep({ name: "check", checked })} />
      )}
      {step.name === "check" && (
        <CheckStep
          checked={step.checked}
          onBack={() => setStep({ name: "list" })}
          onSend={() => void send(step.checked.good)}
        />
      )}
      {step.name === "progress" && (
        <ProgressStep total={step.total} sent={step.sent} onStop={() => stop.current.abort()} />
      )}
      {step.name === "result" && (
        <ResultStep sent={step.sent} saved={saved} onSaved={setSaved} onClose={props.onClose} />
      )}
      <DiscardGuard
        unsaved={unsaved}
        sending={step.name === "progress"}
        {...(ended && { words: text.lose })}
      />
    </Dialog>
  );
}
