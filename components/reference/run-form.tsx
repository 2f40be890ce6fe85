"use client";

import { type FormEvent, useState } from "react";
import { callApi } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { CodeBlock } from "../ui/code-block";
import { CodeWords } from "../ui/code-words";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { Field, Input, Select, TextArea } from "../ui/field";
import { asSchema, jsonContent, type Schema, type ShownOperation } from "./model";
import { type RunAnswer, runOperation } from "./run";

/** A form that makes a call of an operation, with the session or a key, and shows its answer. */
export function RunForm(props: { operation: ShownOperation; signedIn: boolean }) {
  const text = useMessages("reference");
  const { operation } = props;
  const { typed, setTyped, key, setKey, ...call } = useCall(operation);
  const [asks, setAsks] = useState(false);
  const method = operation.method.toUpperCase();
  const byKey = operation.caller === "key";
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!call.check()) return;
    if (method === "GET") void call.send();
    else setAsks(true);
  }
  return (
    <>
      <form onSubmit={submit} className="grid min-w-0 gap-4" aria-label={text.run.open}>
        {byKey && <KeyField value={key} onChange={setKey} signedIn={props.signedIn} />}
        {(operation.parameters ?? []).map((parameter) => {
          const id = `${parameter.in} ${parameter.name}`;
          const onChange = (value: string) => setTyped({ ...typed, [id]: value });
          return (
            <ParameterField key={id} parameter={parameter} value={typed[id] ?? ""} onChange={onChange} />
          );
        })}
        {call.body !== null && <BodyField value={call.body} onChange={call.setBody} isBad={call.badJson} />}
        <Button type="submit" variant="primary" className="w-fit" disabled={call.busy}>
          {call.busy ? text.run.sending : text.run.send}
        </Button>
        {call.error !== null && <ErrorPanel error={call.error} />}
        {call.answer !== null && <Answer answer={call.answer} />}
      </form>
      {/* Beside the form, which else took its submission for its own. */}
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => {
          setAsks(false);
          void call.send();
        }}
        title={text.run.confirmTitle}
        body={<p>{fill(byKey ? text.run.billed : text.run.changes, { method, path: operation.path })}</p>}
        action={text.run.send}
        tone={method === "DELETE" ? "danger" : "primary"}
      />
    </>
  );
}

/** What is typed, and what came of it. */
function useCall(operation: ShownOperation) {
  const example = jsonContent(operation.requestBody)?.example;
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(example === undefined ? null : JSON.stringify(example, null, 2));
  const [key, setKey] = useState("");
  const [badJson, setBadJson] = useState(false);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<RunAnswer | null>(null);
  const [error, setError] = useState<unknown>(null);
  function check(): boolean {
    const isBad = body !== null && !isJson(body);
    setBadJson(isBad);
    return !isBad;
  }
  async function send(): Promise<void> {
    setBusy(true);
    setError(null);
    setAnswer(null);
    try {
      const secret = operation.caller === "key" ? await secretOf(key) : null;
      setAnswer(await runOperation(operation, { values: typed, body, secret }));
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }
  return { typed, setTyped, key, setKey, body, setBody, badJson, busy, answer, error, check, send };
}

/** The typed key, else that of the console. Throws ApiError. */
async function secretOf(key: string): Promise<string> {
  return key.trim() === "" ? (await callApi("POST /api/user/console-key")).key : key.trim();
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function KeyField(props: { value: string; onChange: (key: string) => void; signedIn: boolean }) {
  const { run } = useMessages("reference");
  return (
    <Field label={run.key} hint={props.signedIn ? run.consoleKeyHint : run.keyHint}>
      {(control) => (
        <Input
          {...control}
          type="password"
          autoComplete="off"
          required={!props.signedIn}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function BodyField(props: { value: string; onChange: (body: string) => void; isBad: boolean }) {
  const text = useMessages("reference");
  return (
    <Field label={text.body} errors={props.isBad ? [text.run.badJson] : undefined}>
      {(control) => (
        <TextArea
          {...control}
          spellCheck={false}
          rows={Math.min(16, props.value.split("\n").length)}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
          className="font-mono"
        />
      )}
    </Field>
  );
}

function ParameterField(props: { parameter: Schema; value: string; onChange: (value: string) => void }) {
  const { fields, run } = useMessages("reference");
  const { parameter, value, onChange } = props;
  const schema = asSchema(parameter.schema) ?? {};
  const description = String(parameter.description ?? "");
  const required = parameter.required === true;
  const choices: unknown[] | null = Array.isArray(schema.enum) ? schema.enum : null;
  return (
    <Field label={String(parameter.name)} hint={<CodeWords text={fields[description] ?? description} />}>
      {(control) =>
        choices === null ? (
          <Input
            {...control}
            required={required}
            inputMode={schema.type === "integer" ? "numeric" : undefined}
            placeholder={schema.default === undefined ? undefined : String(schema.default)}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <Select
            {...control}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            options={[
              { value: "", label: run.unset },
              ...choices.map((choice) => ({ value: String(choice), label: String(choice) })),
            ]}
          />
        )
      }
    </Field>
  );
}

function Answer({ answer }: { answer: RunAnswer }) {
  const { run } = useMessages("reference");
  const format = useFormat();
  return (
    <div className="grid min-w-0 gap-2">
      <p role="status" className="tabular text-sm font-medium">
        {run.answer}:{" "}
        <span className={answer.status < 400 ? "text-success" : "text-danger"}>{answer.status}</span>
        {` · ${format.duration(answer.ms)}`}
      </p>
      {answer.headers !== "" && <CodeBlock code={answer.headers} label={run.headers} />}
      {answer.body === "" ? (
        <p className="text-sm text-muted">{run.empty}</p>
      ) : (
        <CodeBlock code={answer.body} label={run.answer} />
      )}
    </div>
  );
}
