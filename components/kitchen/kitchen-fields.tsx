"use client";

import { type ReactNode, useState } from "react";
import { typedWhole, typedYuan } from "@/lib/shared/typed";
import { ApiError } from "../api/client";
import { MoneyField, SelectField, TextField } from "../forms/fields";
import { RecordForm } from "../forms/record-form";
import { DateInput } from "../ui/date-input";
import { Checkbox, type ControlProps, Field, Input, SearchInput, Select, TextArea } from "../ui/field";
import { PasswordInput } from "../ui/password-input";
import { Shelf } from "./shelf";

const plans = [
  { value: "1", label: "Starter" },
  { value: "2", label: "Pro" },
  { value: "3", label: "Not for you", disabled: true },
];

const controls: [string, (control: ControlProps) => ReactNode][] = [
  ["Input", (control) => <Input {...control} defaultValue="Typed" />],
  ["Input, disabled", (control) => <Input {...control} disabled defaultValue="Fixed" />],
  ["Input, empty", (control) => <Input {...control} placeholder="Placeholder" />],
  ["Select", (control) => <Select {...control} options={plans} defaultValue="2" />],
  ["Select, disabled", (control) => <Select {...control} options={plans} disabled />],
  ["TextArea", (control) => <TextArea {...control} defaultValue={"Two\nlines"} />],
];

/** Fields in every state, and a form that is never sent. */
export function KitchenFields() {
  return (
    <>
      <Shelf name="RecordForm" stacked>
        <Form />
      </Shelf>
      <Shelf name="Field" stacked>
        <div className="grid gap-4 sm:grid-cols-2">
          {controls.map(([label, control]) => (
            <Field key={label} label={label}>
              {control}
            </Field>
          ))}
          <Field label="With a hint" optional="(optional)" hint="What it is for, in one line.">
            {(control) => <Input {...control} />}
          </Field>
          <Field label="Wrong" errors={["is required"]} hint="The hint stays.">
            {(control) => <Input {...control} />}
          </Field>
          <Field label="Password">
            {(control) => <PasswordInput {...control} defaultValue="secret" autoComplete="off" />}
          </Field>
          <Dates />
        </div>
      </Shelf>
      <Shelf name="SearchInput, Checkbox">
        <Search />
        <Checkbox label="Checked" defaultChecked />
        <Checkbox label="Not checked" />
        <Checkbox label="Disabled" disabled />
      </Shelf>
    </>
  );
}

function Form() {
  return (
    <div className="max-w-lg">
      <RecordForm
        operation="POST /api/user/tokens"
        initial={{ name: "", quota: "50.00", planId: "1" }}
        toBody={({ name, quota, planId }) => ({ name, quota: typedYuan(quota), planId: typedWhole(planId) })}
        send={() => Promise.reject(new ApiError({ status: 0, code: "NETWORK", message: "" }))}
        onSent={() => {}}
        submitLabel="Create key"
        onCancel={() => {}}
      >
        <TextField name="name" label="Name" hint="Shown in lists." />
        <MoneyField name="quota" label="Quota in yuan (¥)" optional />
        <SelectField name="planId" label="Plan" options={plans} />
      </RecordForm>
    </div>
  );
}

function Dates() {
  const [day, setDay] = useState("2026-11-21");
  const [moment, setMoment] = useState("");
  return (
    <>
      <Field label="DateInput, a day">
        {(control) => <DateInput {...control} kind="day" value={day} onChange={setDay} />}
      </Field>
      <Field label="DateInput, a moment">
        {(control) => <DateInput {...control} kind="moment" value={moment} onChange={setMoment} />}
      </Field>
    </>
  );
}

function Search() {
  const [typed, setTyped] = useState("");
  return <SearchInput className="sm:w-72" label="Search" value={typed} onChange={setTyped} />;
}
