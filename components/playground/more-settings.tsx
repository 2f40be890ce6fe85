"use client";

import { useState } from "react";
import { useMessages } from "../i18n/provider";
import { Field, Input, TextArea } from "../ui/field";
import { Fold } from "../ui/fold";
import { stopFields } from "./calls";
import type { SettingsProps } from "./playground-settings";
import { isShare } from "./use-settings";

/** Parameters that calls name only once they are set; folded while none is. */
export function MoreSettings(props: Pick<SettingsProps, "settings" | "onChange" | "texts" | "onTexts">) {
  const text = useMessages("playground");
  const common = useMessages("common");
  const { settings, texts, onTexts } = props;
  const [open, setOpen] = useState(false);
  const isSet = settings.topP !== null || texts.stop !== "";
  return (
    <Fold
      open={open || isSet}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-md border"
      heading={common.more}
      headingClass="min-h-9 px-3 py-2 text-sm font-medium"
    >
      <div className="grid gap-3 border-t p-3">
        <TopP {...props} />
        {stopFields[settings.protocol] !== null && (
          <Field label={text.stopSequences} optional={common.optional} hint={text.stopHint}>
            {(control) => (
              <TextArea
                {...control}
                rows={2}
                spellCheck={false}
                className="min-h-15! font-mono text-xs"
                value={texts.stop}
                onChange={(event) => onTexts({ ...texts, stop: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
    </Fold>
  );
}

/** An empty field is not sent. */
function TopP({ settings, onChange }: Pick<SettingsProps, "settings" | "onChange">) {
  const text = useMessages("playground");
  const common = useMessages("common");
  const [typed, setTyped] = useState<string | null>(null);
  const wrong = settings.topP !== null && !isShare(settings.topP);
  return (
    <Field
      label={text.topP}
      optional={common.optional}
      hint={text.topPHint}
      errors={wrong ? [text.topPRule] : undefined}
    >
      {(control) => (
        <Input
          {...control}
          type="number"
          min={0}
          max={1}
          step={0.05}
          value={typed ?? settings.topP ?? ""}
          onBlur={() => !wrong && setTyped(null)}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange({ topP: event.target.value === "" ? null : event.target.valueAsNumber });
          }}
        />
      )}
    </Field>
  );
}
