"use client";

import { useId } from "react";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Field, Input, Radio } from "../ui/field";
import type { TabKey } from "./use-tab-key";

/** A key made for this tab, or one that is pasted. */
export function KeyChoice(props: { tabKey: TabKey }) {
  const text = useMessages("playground").key;
  const { tabKey } = props;
  const name = useId();
  const wrong = tabKey.problem === "wrong";
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{text.title}</legend>
      {(["console", "pasted"] as const).map((mode) => (
        <label key={mode} className="flex min-h-6 items-start gap-2 text-sm pointer-coarse:min-h-11">
          <Radio
            name={name}
            checked={tabKey.mode === mode}
            onChange={() => tabKey.setMode(mode)}
            className="mt-0.5 size-4 shrink-0 accent-primary"
          />
          <span>{text[mode]}</span>
        </label>
      ))}
      {tabKey.mode === "pasted" && (
        <Field label={text.paste} errors={wrong ? [text.wrong] : undefined}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="off"
              spellCheck={false}
              value={tabKey.pasted}
              onChange={(event) => tabKey.setPasted(event.target.value)}
              className="font-mono"
            />
          )}
        </Field>
      )}
      {tabKey.prefix !== null && !wrong && (
        <p role="status" className="text-xs break-all text-muted">
          {fill(text.ready, { prefix: tabKey.prefix })}
        </p>
      )}
    </fieldset>
  );
}
