"use client";

import { type ComponentProps, type ReactNode, useId } from "react";
import { flushSync } from "react-dom";
import { useFormat, useMessages } from "../i18n/provider";
import { cn } from "./cn";
import { useEarlyInput } from "./early-input";
import { focusMain } from "./focus-main";
import { readableError } from "./readable-error";

const controlClass =
  "h-9 w-full min-w-0 rounded-md border border-control bg-page px-3 text-sm text-fg pointer-coarse:min-h-11 " +
  "disabled:cursor-not-allowed disabled:bg-card disabled:text-muted aria-invalid:border-danger";

/** The attributes of a control inside a `Field`. */
export interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/** A label, its control, a hint and the errors, tied together for assistive technology. */
export function Field(props: {
  label: ReactNode;
  hint?: ReactNode;
  errors?: string[] | undefined;
  /** What to say about a value of the wrong kind, or a number that is too small or too large. */
  rule?: string | undefined;
  /** What stands after the label of a field that may stay empty. */
  optional?: string | undefined;
  className?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}) {
  const id = useId();
  const readable = useReadableErrors(props.label, props.rule);
  const error = props.errors?.map(readable).join(" ") ?? "";
  const failed = error !== "";
  // An error that says the same as the hint takes its place.
  const hint = props.hint === "" || props.hint === error ? undefined : props.hint;
  const described = [failed && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className={cn("grid content-start gap-1.5", props.className)} data-invalid={failed || undefined}>
      <label htmlFor={id} className="text-sm font-medium">
        {props.label}
        {props.optional !== undefined && <span className="font-normal text-muted"> {props.optional}</span>}
      </label>
      {props.children({
        id,
        "aria-describedby": described === "" ? undefined : described,
        "aria-invalid": failed ? true : undefined,
      })}
      {failed && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The API's messages continue the field's name; those of schemas are told in the reader's language. */
export function useReadableErrors(label: ReactNode, rule?: string): (error: string) => string {
  const { errors } = useMessages("common");
  const { countFull } = useFormat();
  return (error) => {
    const translated = readableError(error, errors, countFull, rule);
    if (translated !== null) return translated;
    return typeof label === "string" && /^\p{Ll}/u.test(error) ? `${label} ${error}` : error;
  };
}

/** A text box. */
export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={cn(controlClass, className)} {...rest} ref={useEarlyInput(rest)} />;
}

/** A radio button; its label stands beside it. */
export function Radio(props: ComponentProps<"input"> & { name: string; checked: boolean }) {
  return <input type="radio" {...props} ref={useEarlyInput(props)} />;
}

/** A search field whose label is its placeholder. */
export function SearchInput(
  props: Omit<ComponentProps<"input">, "type" | "value" | "onChange"> & {
    label: string;
    value: string;
    onChange: (typed: string) => void;
  },
) {
  const { label, onChange, ...rest } = props;
  return (
    <Input
      type="search"
      aria-label={label}
      placeholder={label}
      {...rest}
      onKeyDown={(event) => {
        rest.onKeyDown?.(event);
        // Escape empties the field and gives the keys back to the page; in a dialog it closes that.
        if (event.key !== "Escape" || event.currentTarget.closest("[role=dialog]") !== null) return;
        // What the field does when it is left, it does with nothing in it.
        flushSync(() => onChange(""));
        focusMain();
      }}
      className={cn("text-ellipsis", rest.className)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** A text area. */
export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  const look = cn(controlClass, "h-auto min-h-20 py-2", className);
  return <textarea className={look} {...rest} ref={useEarlyInput(rest)} />;
}

/** The browser's native select, which works on phones and with assistive technology. */
export function Select({
  className,
  options,
  ...rest
}: ComponentProps<"select"> & { options: Array<{ value: string; label: string; disabled?: boolean }> }) {
  const look = cn(controlClass, "appearance-none truncate pr-8 select-arrow", className);
  return (
    <select className={look} {...rest} ref={useEarlyInput(rest)}>
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** A check box with its label; the whole line is the target. In a row it is as high as the fields beside it. */
export function Checkbox({
  label,
  inRow = false,
  className,
  ...rest
}: ComponentProps<"input"> & { label: ReactNode; inRow?: boolean }) {
  const place = inRow ? "min-h-9 items-center px-1" : "min-h-6 items-start pointer-coarse:min-h-11";
  return (
    <label className={cn("flex gap-2 text-sm", place, className)}>
      <input
        type="checkbox"
        className={cn("check-box", !inRow && "mt-0.5")}
        {...rest}
        ref={useEarlyInput(rest)}
      />
      <span>{label}</span>
    </label>
  );
}
