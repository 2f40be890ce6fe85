"use client";

import { type FormEvent, useContext, useEffect, useState } from "react";
import type { Tool } from "@/lib/protocols/kit/tool";
import { DiscardGuard } from "../forms/discard-guard";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Field, Input, TextArea } from "../ui/field";
import { LayerContext } from "../ui/layer";
import { readSchema } from "./read-schema";
import { isToolName } from "./tools";

const noParameters = JSON.stringify({ type: "object", properties: {} }, null, 2);

/** Writes one function. What is wrong is said once it is to be kept. */
export function ToolForm(props: {
  /** Null: a new one. */
  tool: Tool | null;
  /** Names that others have. */
  taken: readonly string[];
  /** Told whether something is typed here that is not saved. */
  onUnsaved: (unsaved: boolean) => void;
  onSave: (tool: Tool) => void;
  onCancel: () => void;
}) {
  const text = useMessages("playground");
  const common = useMessages("common");
  const { tool, taken } = props;
  const [name, setName] = useState(tool?.name ?? "");
  const [description, setDescription] = useState(tool?.description ?? "");
  const [parameters, setParameters] = useState(
    tool === null ? noParameters : JSON.stringify(tool.parameters, null, 2),
  );
  const [tried, setTried] = useState(false);
  const schema = readSchema(parameters);
  const nameError = !isToolName(name)
    ? text.toolList.nameRule
    : taken.includes(name)
      ? text.toolList.nameTaken
      : null;
  const schemaError =
    "problem" in schema ? fill(text.schemaProblems[schema.problem.kind], { ...schema.problem }) : null;
  const shown = (error: string | null) => (tried && error !== null ? [error] : undefined);
  function save(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (nameError !== null || !("schema" in schema)) return;
    const said = description.trim();
    props.onSave({
      name,
      description: said === "" ? undefined : said,
      parameters: schema.schema ?? { type: "object", properties: {} },
    });
  }
  return (
    <form onSubmit={save} className="grid gap-3 rounded-md border p-3">
      <Unsaved typed={[name, description, parameters].join("\n")} onUnsaved={props.onUnsaved} />
      <Field label={text.toolList.name} errors={shown(nameError)}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            spellCheck={false}
            placeholder="get_weather"
            value={name}
            onChange={({ target }) => setName(target.value)}
            className="font-mono text-xs"
          />
        )}
      </Field>
      <DescriptionField value={description} onChange={setDescription} />
      <ParametersField value={parameters} error={schemaError} onChange={setParameters} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="sm" onClick={props.onCancel}>
          {common.cancel}
        </Button>
        <Button size="sm" type="submit" variant="primary">
          {tool === null ? text.toolList.add : common.save}
        </Button>
      </div>
    </form>
  );
}

/**
 * Tells whether a text differs from its first one, and asks before a sheet is closed over it; once it is gone, nothing is
 * unsaved.
 */
function Unsaved({ typed, onUnsaved }: { typed: string; onUnsaved: (unsaved: boolean) => void }) {
  const layer = useContext(LayerContext);
  const [first] = useState(typed);
  const differs = typed !== first;
  useEffect(() => {
    onUnsaved(differs);
    return () => onUnsaved(false);
  }, [differs, onUnsaved]);
  return layer !== null && <DiscardGuard unsaved={differs} sending={false} />;
}

function ParametersField(props: { value: string; error: string | null; onChange: (value: string) => void }) {
  const text = useMessages("playground").toolList;
  return (
    <Field
      label={text.parameters}
      hint={text.parametersHint}
      errors={props.error === null ? undefined : [props.error]}
    >
      {(control) => (
        <TextArea
          {...control}
          rows={8}
          spellCheck={false}
          className="min-h-16! resize-y font-mono text-xs"
          value={props.value}
          onChange={({ target }) => props.onChange(target.value)}
        />
      )}
    </Field>
  );
}

function DescriptionField(props: { value: string; onChange: (value: string) => void }) {
  const text = useMessages("playground").toolList;
  const common = useMessages("common");
  return (
    <Field label={text.description} optional={common.optional}>
      {(control) => (
        <TextArea
          {...control}
          rows={2}
          className="min-h-15!"
          value={props.value}
          onChange={({ target }) => props.onChange(target.value)}
        />
      )}
    </Field>
  );
}
