"use client";

import { CopyButton } from "./copy-button";
import { Input } from "./field";

/** A text to take along: selected when it gets the focus, with a button that copies it. */
export function CopyField(props: { label: string; text: string; copyLabel?: string; className?: string }) {
  return (
    <div className="flex items-center gap-2">
      <Input
        readOnly
        aria-label={props.label}
        spellCheck={false}
        className={props.className}
        value={props.text}
        onFocus={(event) => event.target.select()}
      />
      <CopyButton text={props.text} label={props.copyLabel} size="md" />
    </div>
  );
}
