"use client";

import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import { type FieldValues, type Path, useController, useFormState } from "react-hook-form";
import { MAX_CENTS } from "@/lib/kernel/money";
import { withoutGroups } from "@/lib/shared/decimal";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { cn } from "../ui/cn";
import { DateInput } from "../ui/date-input";
import { Checkbox, Field, Input, Select, TextArea, useReadableErrors } from "../ui/field";
import { Fold } from "../ui/fold";
import { PasswordInput } from "../ui/password-input";
import { isMissing } from "../ui/readable-error";
import { flatErrors } from "./place-errors";

/** The names of the fields that are on the screen. */
export const ShownFields = createContext<Set<string>>(new Set());

/** What every field of a form has. Its name is that of the API. */
interface Bound<Draft extends FieldValues> {
  name: Path<Draft> & string;
  label: string;
  /** A hint, or one that depends on what is typed. */
  hint?: ReactNode | ((typed: string) => ReactNode);
  optional?: boolean;
  /** What to say about a value of the wrong kind, or a number that is too small or too large. */
  rule?: string | ((typed: string) => string);
  className?: string;
}

type Attributes<Element extends "input" | "select" | "textarea"> = Omit<
  ComponentProps<Element>,
  keyof Bound<FieldValues> | "value" | "onChange"
>;

/** The value and the errors of a field of the form around it. */
export function useField(name: string) {
  const { field, fieldState } = useController({ name });
  useShown(name);
  return { field, errors: fieldState.error?.message?.split("\n") };
}

/** Errors of this field are shown where it stands. */
function useShown(name: string): void {
  const shown = useContext(ShownFields);
  useEffect(() => {
    shown.add(name);
    return () => {
      shown.delete(name);
    };
  }, [name, shown]);
}

/** What is wrong with several fields together, such as the entries of a list. */
export function GroupErrors(props: { name: string }) {
  const { errors } = useFormState();
  const readable = useReadableErrors(null);
  useShown(props.name);
  const found = flatErrors(errors)[props.name];
  if (found === undefined) return null;
  return (
    <p data-invalid className="text-sm text-danger">
      {found.map(readable).join(" ")}
    </p>
  );
}

function useBound<Draft extends FieldValues>(props: Bound<Draft>) {
  const common = useMessages("common");
  const { field, errors } = useField(props.name);
  const { label, hint, rule, className } = props;
  const frame = {
    label,
    hint: typeof hint === "function" ? hint(String(field.value)) : hint,
    errors,
    rule: typeof rule === "function" ? rule(String(field.value)) : rule,
    className,
    optional: props.optional === true ? common.optional : undefined,
  };
  return { field, frame };
}

/** A text box; with `inputMode="numeric"` one for a whole number. */
export function TextField<Draft extends FieldValues>(props: Bound<Draft> & Attributes<"input">) {
  const { name, label, hint, optional, rule, className, ...input } = props;
  const { field, frame } = useBound(props);
  return (
    <Field {...frame}>
      {(control) => <Input autoComplete="off" spellCheck={false} {...input} {...control} {...field} />}
    </Field>
  );
}

/** An amount in yuan. */
export function MoneyField<Draft extends FieldValues>(
  props: Bound<Draft> & Pick<Attributes<"input">, "placeholder">,
) {
  return <TextField inputMode="decimal" rule={useAmountRule()} {...props} />;
}

/** Says what is wrong with a typed amount that was refused. */
export function useAmountRule(): (typed: string) => string {
  const { rules } = useMessages("common").errors;
  const max = useFormat().moneyExact(MAX_CENTS);
  return (typed) => fill(rules[amountRule(typed)], { max });
}

/** Says what is wrong with a typed price that was refused; `range` where it is a number. */
export function usePriceRule(range: string): (typed: string) => string {
  const { rules } = useMessages("common").errors;
  return (typed) => {
    const rule = amountRule(typed);
    if (rule === "amount") return rules.price;
    return rule === "notNegative" || rule === "decimalComma" ? rules[rule] : range;
  };
}

function amountRule(
  typed: string,
): "amount" | "notNegative" | "decimalComma" | "aboveZero" | "decimals" | "tooLarge" {
  const text = withoutGroups(typed.normalize("NFKC").replace(/^\s*[¥￥]/, ""));
  if (/^-\s*[¥￥]?\s*[\d.,]+$/.test(text)) return "notNegative";
  if (/^\d*,\d+$/.test(text)) return "decimalComma";
  if (/^0*(\.0*)?$/.test(text)) return "aboveZero";
  if (/^\d*\.\d{3,}$/.test(text)) return "decimals";
  return /^\d+(\.\d{0,2})?$/.test(text) ? "tooLarge" : "amount";
}

/** A password whose text can be shown. */
export function PasswordField<Draft extends FieldValues>(props: Bound<Draft> & Attributes<"input">) {
  const { name, label, hint, optional, rule, className, ...input } = props;
  const { field, frame } = useBound(props);
  return <Field {...frame}>{(control) => <PasswordInput {...input} {...control} {...field} />}</Field>;
}

/** A text of several lines; `code` is for machines, such as JSON. */
export function AreaField<Draft extends FieldValues>(props: Bound<Draft> & { code?: boolean }) {
  const { field, frame } = useBound(props);
  return (
    <Field {...frame}>
      {(control) => (
        <TextArea
          spellCheck={props.code !== true}
          className={cn(props.code === true && "font-mono")}
          {...control}
          {...field}
        />
      )}
    </Field>
  );
}

/** A choice; `onPick` replaces the plain change of the field. */
export function SelectField<Draft extends FieldValues>(
  props: Bound<Draft> & {
    options: Array<{ value: string; label: string }>;
    disabled?: boolean;
    onPick?: (value: string) => void;
  },
) {
  const { field, frame } = useBound(props);
  const { options, disabled, onPick } = props;
  const { chooseOne } = useMessages("common").errors.rules;
  const errors = frame.errors?.map((error) => (isMissing(error) ? chooseOne : error));
  return (
    <Field {...frame} errors={errors}>
      {(control) => (
        <Select
          {...control}
          {...field}
          options={options}
          disabled={disabled}
          onChange={(event) => (onPick ?? field.onChange)(event.target.value)}
        />
      )}
    </Field>
  );
}

/** A moment in the reader's zone. */
export function MomentField<Draft extends FieldValues>(props: Bound<Draft>) {
  const { field, frame } = useBound(props);
  return (
    <Field {...frame}>
      {(control) => <DateInput {...control} kind="moment" value={field.value} onChange={field.onChange} />}
    </Field>
  );
}

/** Yes or no. */
export function CheckField<Draft extends FieldValues>(props: Pick<Bound<Draft>, "name" | "label">) {
  const { field } = useController({ name: props.name });
  const { value, ...rest } = field;
  return <Checkbox label={props.label} checked={value === true} {...rest} />;
}

/** The fields that few people need; opens by itself when one of them has an error. */
export function More(props: { label?: string; open?: boolean; children: ReactNode }) {
  const common = useMessages("common");
  const { submitCount, errors } = useFormState();
  const box = useRef<HTMLDetailsElement>(null);
  const failed = Object.keys(flatErrors(errors)).join(" ");
  useEffect(() => {
    const found = [submitCount, failed].some(Boolean) && box.current?.querySelector("[data-invalid]");
    if (box.current && found) box.current.open = true;
  }, [submitCount, failed]);
  return (
    <Fold
      ref={box}
      open={props.open === true || undefined}
      className="rounded-md border"
      heading={props.label ?? common.more}
      headingClass="min-h-9 px-3 py-2 text-sm font-medium"
    >
      <div className="grid gap-4 border-t p-3">{props.children}</div>
    </Fold>
  );
}
