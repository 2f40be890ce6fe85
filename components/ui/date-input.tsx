"use client";

import { CalendarDays } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useMessages } from "../i18n/provider";
import { buttonClass } from "./button";
import { cn } from "./cn";
import { type ControlProps, Input } from "./field";

const patterns = { day: /^\d{4}-\d{2}-\d{2}$/, moment: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/ };

/**
 * A day (`2026-11-21`) or a moment (`2026-11-21T14:00`) as text that reads the same in every language; the browser's own
 * field would follow the browser's language. Its calendar is behind the button.
 */
export function DateInput(
  props: ControlProps & {
    kind: keyof typeof patterns;
    value: string;
    /** Receives the typed text, complete or not. */
    onChange: (value: string) => void;
  },
) {
  const text = useMessages("common").dates;
  const { kind, value, onChange, "aria-invalid": invalid, ...control } = props;
  const [typed, setTyped] = useState(shown(value));
  const [left, setLeft] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const calendar = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement !== box.current) setTyped(shown(value));
  }, [value]);
  const current = stored(typed);
  const broken = left && current !== "" && !isDate(current, kind);
  function change(next: string) {
    setTyped(shown(next));
    setLeft(false);
    onChange(stored(next));
  }
  return (
    <div className="relative">
      <Input
        {...control}
        ref={box}
        value={typed}
        placeholder={text.formats[kind]}
        aria-invalid={invalid ?? (broken ? true : undefined)}
        autoComplete="off"
        spellCheck={false}
        className="tabular pr-8 pointer-coarse:pr-12"
        onChange={(event) => change(event.target.value)}
        onBlur={() => setLeft(true)}
      />
      <input
        ref={calendar}
        type={kind === "day" ? "date" : "datetime-local"}
        tabIndex={-1}
        aria-hidden
        className="pointer-events-none absolute inset-x-0 bottom-0 h-0 w-full opacity-0"
        value={isDate(current, kind) ? current : ""}
        onChange={(event) => change(event.target.value)}
      />
      <button
        type="button"
        className={cn(
          buttonClass("ghost", "mini"),
          "absolute top-1 right-1 pointer-coarse:top-0 pointer-coarse:right-0",
        )}
        aria-label={text.choose}
        title={text.choose}
        onClick={() => calendar.current?.showPicker()}
      >
        <CalendarDays aria-hidden className="size-4" />
      </button>
      {broken && invalid === undefined && (
        <p role="alert" className="text-xs text-danger">
          {text.wrong[kind]}
        </p>
      )}
    </div>
  );
}

/** A date with its label before it, for a row of filters. */
export function DateField(props: {
  label: string;
  kind: keyof typeof patterns;
  value: string;
  onChange: (value: string) => void;
  className?: string | undefined;
}) {
  const { label, className, ...input } = props;
  const id = useId();
  const control: ControlProps = { id, "aria-describedby": undefined, "aria-invalid": undefined };
  return (
    <div className={cn("flex min-w-0 grow basis-full items-center gap-2 sm:grow-0 sm:basis-auto", className)}>
      <label htmlFor={id} className="shrink-0 text-sm text-muted max-sm:w-16">
        {label}
      </label>
      <div className={cn("min-w-0 grow sm:grow-0", input.kind === "day" ? "sm:w-37" : "sm:w-48")}>
        <DateInput {...input} {...control} />
      </div>
    </div>
  );
}

/** Whether the calendar has it: there is no month 13, and no February 30. */
function isDate(text: string, kind: keyof typeof patterns): boolean {
  if (!patterns[kind].test(text)) return false;
  const moment = new Date(kind === "day" ? `${text}T00:00Z` : `${text}Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

function shown(value: string): string {
  return value.replace("T", " ");
}

function stored(typed: string): string {
  return typed.trim().replaceAll("/", "-").replace(/ +/, "T");
}
