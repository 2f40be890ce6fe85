import { useId } from "react";
import { cn } from "./cn";
import { Radio } from "./field";

/** A few choices side by side: a radio group. */
export function Segmented<T extends string>(props: {
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: Array<{ value: T; label: string }>;
  /** Stands beside it. */
  note?: string | undefined;
  className?: string;
}) {
  const name = useId();
  const { note } = props;
  const choices = (
    <fieldset
      aria-describedby={note === undefined ? undefined : `${name}-note`}
      className={cn(
        "flex max-w-full min-w-0 overflow-x-auto rounded-md border border-control bg-page p-0.5 [scrollbar-width:none]",
        props.className,
      )}
    >
      <legend className="sr-only">{props.label}</legend>
      {props.options.map((option) => (
        <label
          key={option.value}
          className={cn(
            "relative flex h-7.5 flex-1 cursor-pointer items-center justify-center rounded-sm px-3 text-sm font-medium max-[360px]:px-2 whitespace-nowrap text-muted hover:text-fg pointer-coarse:h-10",
            "has-checked:bg-primary has-checked:text-on-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-primary",
          )}
        >
          <Radio
            name={name}
            value={option.value}
            checked={option.value === props.value}
            onChange={() => props.onChange(option.value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
  if (note === undefined) return choices;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {choices}
      <p id={`${name}-note`} className="text-xs text-muted">
        {note}
      </p>
    </div>
  );
}
