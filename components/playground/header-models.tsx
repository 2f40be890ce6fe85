"use client";

import { Columns2, X } from "lucide-react";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { buttonClass } from "../ui/button";
import { cn } from "../ui/cn";
import { Popover } from "../ui/popover";
import { ModelChoice } from "./model-choice";
import type { SettingsProps } from "./settings-props";
import { MAX_MODELS } from "./use-settings";

/**
 * The models that answer, and a button that lets another one answer beside them. On a narrow screen they are one line:
 * several models scroll beside the button.
 */
export function HeaderModels(props: Pick<SettingsProps, "settings" | "catalog" | "disabled" | "onChange">) {
  const text = useMessages("playground");
  const { settings, catalog, disabled, onChange } = props;
  const { models, own } = settings;
  const others = catalog.filter(({ id }) => !models.includes(id));
  function remove(model: string) {
    const { [model]: _, ...rest } = own;
    onChange({ models: models.filter((id) => id !== model), own: rest });
  }
  return (
    <div className="flex min-w-0 items-center gap-1.5 max-lg:order-last max-lg:basis-full lg:flex-1 lg:flex-wrap">
      <ul
        aria-label={text.models}
        className={cn(
          "flex min-w-0 gap-1.5",
          models.length > 1 ? "max-lg:-m-1 max-lg:overflow-x-auto max-lg:p-1 lg:flex-wrap" : "flex-wrap",
        )}
      >
        {models.map((model) => (
          <li
            key={model}
            className={cn(
              "flex min-h-7 items-center rounded-full border bg-card px-3 font-mono text-xs",
              models.length > 1 ? "max-lg:shrink-0 lg:min-w-0" : "min-w-0",
            )}
          >
            <span className="break-all">{model}</span>
            {models.length > 1 && (
              <button
                type="button"
                disabled={disabled}
                aria-label={fill(text.compare.leaveOut, { model })}
                onClick={() => remove(model)}
                className="-mr-2 ml-0.5 flex size-6 items-center justify-center rounded-full text-muted hover:bg-hover hover:text-fg pointer-coarse:size-11"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {models.length < MAX_MODELS && others.length > 0 && !disabled && (
        <Popover
          key={models.length} // closes once a model is chosen
          label={text.compare.title}
          align="start"
          triggerClass={buttonClass("ghost", "sm")}
          trigger={
            <>
              <Columns2 aria-hidden className="size-3.5" />
              {text.compare.title}
            </>
          }
        >
          <ModelChoice
            label={text.compare.add}
            hint={fill(text.compare.hint, { count: MAX_MODELS })}
            value={null}
            optional={false}
            models={others}
            onChoose={(id) => id !== null && onChange({ models: [...models, id] })}
          />
        </Popover>
      )}
    </div>
  );
}
