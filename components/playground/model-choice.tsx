"use client";

import { Combobox } from "@base-ui/react/combobox";
import { X } from "lucide-react";
import type { ComponentProps } from "react";
import { protocolKits } from "@/lib/protocols/kit/kits";
import type { CatalogModel } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Badge } from "../ui/badge";
import { Field, Input } from "../ui/field";

/** A model, found by typing, with what each costs and can take. */
export function ModelChoice(props: {
  label: string;
  /** Null: none. */
  value: string | null;
  /** Without those that another field has. */
  models: readonly CatalogModel[];
  /** Whether it may be none. */
  optional: boolean;
  hint?: string | undefined;
  onChoose: (id: string | null) => void;
}) {
  const text = useMessages("playground");
  const facts = useModelFacts();
  const { value, models, optional } = props;
  const named = (id: string) => models.find((model) => model.id === id);
  const chosen = value === null ? undefined : named(value);
  return (
    <Combobox.Root
      autoHighlight
      items={models.map(({ id }) => id)}
      value={value}
      onValueChange={(id) => (id !== null || optional) && props.onChoose(id)}
      filter={(id: string, typed) => isFoundBy(named(id), typed)}
    >
      <Field label={props.label} hint={chosen === undefined ? props.hint : facts(chosen).join(" · ")}>
        {(control) => (
          <div className="relative">
            <Combobox.Input
              {...control}
              placeholder={optional ? text.noOther : text.findModel}
              onFocus={({ target }) => target.select()}
              onKeyDown={keepOnEscape}
              render={<Input spellCheck={false} className="truncate pr-8 select-arrow" />}
            />
            {optional && value !== null && (
              <Combobox.Clear
                className="absolute inset-y-0 right-7 flex w-7 items-center justify-center rounded-sm text-muted hover:text-fg"
                aria-label={fill(text.removeModel, { model: value })}
              >
                <X aria-hidden className="size-3.5" />
              </Combobox.Clear>
            )}
          </div>
        )}
      </Field>
      <Combobox.Portal>
        <Combobox.Positioner className="z-50 outline-none" align="end" sideOffset={4}>
          <Combobox.Popup className="flex max-h-(--available-height) w-(--anchor-width) min-w-96 max-w-(--available-width) flex-col overflow-hidden rounded-lg bg-page shadow-float">
            <Combobox.Empty>
              <p className="px-3 py-3 text-sm text-muted">{text.noModelFound}</p>
            </Combobox.Empty>
            <Combobox.List className="min-h-0 overflow-y-auto overscroll-contain p-1 outline-none data-empty:p-0">
              {(id: string) => (
                <Combobox.Item
                  key={id}
                  value={id}
                  className="grid cursor-default gap-0.5 rounded-sm px-2 py-1.5 text-sm outline-none select-none data-highlighted:bg-hover data-selected:font-medium pointer-coarse:min-h-11"
                >
                  <Option model={named(id)} facts={facts} />
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

/** Escape closes the list; the library would also take the model away where it is closed. */
const keepOnEscape: ComponentProps<typeof Combobox.Input>["onKeyDown"] = (event) => {
  const isOpen = event.currentTarget.getAttribute("aria-expanded") === "true";
  if (event.key === "Escape" && !isOpen) event.preventBaseUIHandler();
};

function Option(props: { model: CatalogModel | undefined; facts: (model: CatalogModel) => string[] }) {
  const common = useMessages("common");
  const { model } = props;
  if (model === undefined) return null;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="wrap-anywhere">{model.id}</span>
        {model.simulated && <Badge tone="info">{common.simulated}</Badge>}
        {model.displayName !== "" && model.displayName !== model.id && (
          <span className="text-xs font-normal wrap-anywhere text-muted">{model.displayName}</span>
        )}
      </span>
      <span className="tabular text-xs font-normal text-muted">{props.facts(model).join(" · ")}</span>
    </>
  );
}

/** Every word that is typed is in one of its names. */
export function isFoundBy(model: CatalogModel | undefined, typed: string): boolean {
  if (model === undefined) return false;
  const names = [model.id, model.displayName, ...model.alsoKnownAs].join("\n").toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => names.includes(word));
}

/** What a model costs; and how much it can read and write, and in which protocols nodes serve it. */
function useModelFacts(): (model: CatalogModel) => string[] {
  const text = useMessages("playground").modelFacts;
  const format = useFormat();
  return ({ prices, contextWindow, maxOutputTokens, protocols }) => {
    const [input, output] = [prices.input, prices.output].map((price) => format.moneyExact(price));
    const abilities = [
      ...(contextWindow === null ? [] : [fill(text.context, { count: format.roundCount(contextWindow) })]),
      ...(maxOutputTokens === null ? [] : [fill(text.output, { count: format.roundCount(maxOutputTokens) })]),
      format.list(protocols.map((protocol) => protocolKits[protocol].name)),
    ];
    return [fill(text.price, { input: input ?? "", output: output ?? "" }), abilities.join(" · ")];
  };
}
