"use client";

import { Pencil, Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import type { Tool } from "@/lib/protocols/kit/tool";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Field, TextArea } from "../ui/field";
import { Fold } from "../ui/fold";
import type { SettingsProps } from "./settings-props";
import { ToolForm } from "./tool-form";
import { exampleTools, readTools, type ToolsProblem } from "./tools";

/** The functions that a model may ask to be called: a list, and the same as JSON. */
export function ToolList({ texts, onTexts, toolsProblem: problem, onUnsavedTool }: SettingsProps) {
  const text = useMessages("playground");
  const [editing, setEditing] = useState<number | null>(null);
  const [asJson, setAsJson] = useState(false);
  const add = useRef<HTMLButtonElement>(null);
  const read = readTools(texts.tools);
  const tools = "tools" in read ? read.tools : [];
  const write = (next: readonly Tool[]) =>
    onTexts({ ...texts, tools: next.length === 0 ? "" : JSON.stringify(next, null, 2) });
  /** What was pressed goes away. */
  function end() {
    setEditing(null);
    add.current?.focus();
  }
  return (
    <section aria-label={text.toolList.title} className="grid gap-2">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-sm font-medium">{text.toolList.title}</h2>
        <span className="flex gap-1">
          {texts.tools === "" && (
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                onTexts({ ...texts, tools: exampleTools });
                add.current?.focus();
              }}
            >
              {text.toolsExample}
            </Button>
          )}
          <Button ref={add} size="sm" disabled={problem !== null} onClick={() => setEditing(tools.length)}>
            <Plus aria-hidden className="size-3.5" />
            {text.toolList.add}
          </Button>
        </span>
      </div>
      <ToolRows
        tools={tools}
        onEdit={setEditing}
        onRemove={(place) => {
          write(tools.filter((_, at) => at !== place));
          end();
        }}
      />
      {editing !== null && problem === null && (
        <ToolForm
          key={editing}
          tool={tools[editing] ?? null}
          taken={tools.flatMap(({ name }, place) => (place === editing ? [] : name))}
          onUnsaved={onUnsavedTool}
          onCancel={end}
          onSave={(tool) => {
            write([...tools.slice(0, editing), tool, ...tools.slice(editing + 1)]);
            end();
          }}
        />
      )}
      <Fold
        open={asJson || problem !== null}
        onToggle={(event) => setAsJson(event.currentTarget.open)}
        heading={text.toolList.asJson}
        headingClass="min-h-6 text-xs text-muted"
      >
        <ToolsJson texts={texts} onTexts={onTexts} problem={problem} />
      </Fold>
    </section>
  );
}

function ToolRows(props: {
  tools: readonly Tool[];
  onEdit: (place: number) => void;
  onRemove: (place: number) => void;
}) {
  if (props.tools.length === 0) return null;
  return (
    <ul className="grid gap-1">
      {props.tools.map((tool, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two tools may have one name while they are written
        <li key={place}>
          <ToolRow tool={tool} onEdit={() => props.onEdit(place)} onRemove={() => props.onRemove(place)} />
        </li>
      ))}
    </ul>
  );
}

function ToolRow(props: { tool: Tool; onEdit: () => void; onRemove: () => void }) {
  const text = useMessages("playground").toolList;
  const { name, description } = props.tool;
  return (
    <div className="flex items-center gap-1 rounded-md border bg-card py-1 pr-1 pl-3">
      <p className="grid min-w-0 flex-1">
        <span className="truncate font-mono text-xs">{name}</span>
        {description !== undefined && <span className="truncate text-xs text-muted">{description}</span>}
      </p>
      <Button size="mini" variant="ghost" aria-label={fill(text.edit, { name })} onClick={props.onEdit}>
        <Pencil aria-hidden className="size-3.5" />
      </Button>
      <Button size="mini" variant="ghost" aria-label={fill(text.remove, { name })} onClick={props.onRemove}>
        <X aria-hidden className="size-3.5" />
      </Button>
    </div>
  );
}

function ToolsJson(props: Pick<SettingsProps, "texts" | "onTexts"> & { problem: ToolsProblem | null }) {
  const text = useMessages("playground");
  const { texts, onTexts, problem } = props;
  const errors = problem === null ? undefined : [problemText(problem, text.toolProblems)];
  return (
    <Field label={text.tools} hint={text.toolsHint} errors={errors} className="pt-1">
      {(control) => (
        <TextArea
          {...control}
          rows={8}
          spellCheck={false}
          value={texts.tools}
          onChange={(event) => onTexts({ ...texts, tools: event.target.value })}
          className="min-h-16! resize-y font-mono text-xs"
        />
      )}
    </Field>
  );
}

function problemText(problem: ToolsProblem, texts: Record<ToolsProblem["kind"], string>): string {
  const { kind, ...values } = problem;
  return fill(texts[kind], values);
}
