"use client";

import { CornerDownRight } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { ToolCall } from "@/lib/protocols/kit/turn";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Field, TextArea } from "../ui/field";
import { focusMain } from "../ui/focus-main";

/** Asks for what each called tool gives, without which the model cannot go on. */
export function ToolResults(props: {
  calls: readonly ToolCall[];
  busy: boolean;
  onSend: (results: readonly string[]) => void;
}) {
  const text = useMessages("playground");
  const { calls } = props;
  const [typed, setTyped] = useState<readonly string[]>(calls.map(() => ""));
  const ready = !props.busy && typed.every((result) => result.trim() !== "");
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!ready) return;
    props.onSend(typed);
    focusMain(); // what was pressed goes away
  }
  return (
    <form onSubmit={submit} className="grid justify-items-start gap-2">
      {calls.map((call, place) => (
        <Field
          // biome-ignore lint/suspicious/noArrayIndexKey: the calls of an answer that has ended do not change
          key={place}
          label={fill(text.toolResult, { name: call.name })}
          hint={place === calls.length - 1 ? text.toolResultHint : undefined}
          className="w-full"
        >
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              spellCheck={false}
              value={typed[place] ?? ""}
              onChange={({ target }) =>
                setTyped(typed.map((before, at) => (at === place ? target.value : before)))
              }
              className="min-h-16! font-mono text-xs"
            />
          )}
        </Field>
      ))}
      <Button type="submit" size="sm" variant="primary" disabled={!ready}>
        <CornerDownRight aria-hidden className="size-4" />
        {text.continue}
      </Button>
    </form>
  );
}
