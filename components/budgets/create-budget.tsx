"use client";

import { useState } from "react";
import { RecordForm } from "../forms/record-form";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Drawer } from "../ui/drawer";
import { toast } from "../ui/toast";
import { type BudgetDraft, bodyOf, firstDraft, type PresetName, presets, presetsOf } from "./budget-draft";
import { NameField, useAutoName } from "./budget-name";
import { useBudgetCall, useBudgetSpace } from "./budget-space";
import { EndQuestion } from "./end-question";
import { PeriodQuestion } from "./period-question";
import { useScopes } from "./use-scopes";
import { WhatQuestion } from "./what-question";
import { WhoQuestion } from "./who-question";

/** Asks for a new budget in four questions: for whom, how much of what, in which period, and what happens at its end. */
export function CreateBudget(props: {
  /** What it begins with. */
  preset: PresetName | null;
  given?: Partial<BudgetDraft> | undefined;
  onClose: () => void;
}) {
  const text = useMessages("budgets");
  const [preset, setPreset] = useState(props.preset);
  const chosen = { ...(preset === null ? firstDraft : presets[preset]), ...props.given };
  return (
    <Drawer onClose={props.onClose} title={text.form.title}>
      <div className="grid gap-4">
        {props.given === undefined && <Presets onPreset={setPreset} />}
        <CreateForm key={preset} draft={chosen} onClose={props.onClose} />
      </div>
    </Drawer>
  );
}

/** Budgets that many want, as buttons that fill in the form. */
export function Presets(props: { onPreset: (preset: PresetName) => void }) {
  const text = useMessages("budgets");
  const scopes = useScopes();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-sm text-muted">{text.presetsLabel}</span>
      {presetsOf(scopes).map((name) => (
        <Button
          key={name}
          size="sm"
          className="h-auto min-h-8 whitespace-normal"
          onClick={() => props.onPreset(name)}
        >
          {text.presets[name]}
        </Button>
      ))}
    </div>
  );
}

function CreateForm(props: { draft: BudgetDraft; onClose: () => void }) {
  const text = useMessages("budgets");
  const space = useBudgetSpace();
  const call = useBudgetCall();
  const isAdmin = space === "/api/admin";
  const name = useAutoName(props.draft);
  const [initial] = useState({ ...props.draft, name });
  return (
    <RecordForm
      operation={`POST ${space}/budgets`}
      call={call}
      keep={{ name: "budget" }}
      initial={initial}
      toBody={(draft: BudgetDraft) => bodyOf(draft, isAdmin)}
      onSent={(made) => {
        toast.done(fill(text.created, { name: made.name }), { record: made.id });
        props.onClose();
      }}
      submitLabel={text.form.submit}
      onCancel={props.onClose}
    >
      <WhoQuestion />
      <WhatQuestion />
      <PeriodQuestion />
      <EndQuestion />
      <NameField />
    </RecordForm>
  );
}
