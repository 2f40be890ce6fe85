"use client";

import { useMessages } from "../i18n/provider";
import { Checkbox } from "../ui/field";
import { ParameterFields } from "./call-parameters";
import { ModelChoice } from "./model-choice";
import type { SettingsProps } from "./settings-props";
import { MAX_MODELS, ownParametersOf } from "./use-settings";

/** The models that answer, of which each may have parameters of its own while they are compared. */
export function ModelChoices(props: SettingsProps) {
  const text = useMessages("playground");
  const { settings, catalog, onChange } = props;
  const labels = [text.model, text.compareWith, text.andWith];
  const { models, own } = settings;
  const shown = Math.min(MAX_MODELS, models.length + 1, catalog.length);
  function choose(position: number, id: string | null) {
    const next = [...models];
    if (id === null) next.splice(position, 1);
    else next[position] = id;
    const kept = [...new Set(next)];
    onChange({
      models: kept,
      own: Object.fromEntries(Object.entries(own).filter(([model]) => kept.includes(model))),
    });
  }
  return labels.slice(0, Math.max(1, shown)).map((label, position) => {
    const model = models[position] ?? null;
    return (
      <div key={label} className="grid gap-2">
        <ModelChoice
          label={label}
          value={model}
          optional={position > 0}
          models={catalog.filter(({ id }) => id === model || !models.includes(id))}
          hint={position === 0 && catalog.length === 0 ? text.noModels : undefined}
          onChoose={(id) => choose(position, id)}
        />
        {model !== null && models.length > 1 && <OwnParameters {...props} model={model} />}
      </div>
    );
  });
}

/** The parameters of one compared model, where they are not those of all. */
function OwnParameters({ settings, catalog, onChange, model }: SettingsProps & { model: string }) {
  const text = useMessages("playground");
  const { own, protocol, temperature, maxTokens } = settings;
  const { [model]: values, ...others } = own;
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="sr-only">{model}</legend>
      <Checkbox
        label={text.ownParameters}
        checked={values !== undefined}
        onChange={({ target }) =>
          onChange({ own: target.checked ? { ...own, [model]: { temperature, maxTokens } } : others })
        }
      />
      {values !== undefined && (
        <div className="rounded-md border p-3">
          <ParameterFields
            protocol={protocol}
            values={ownParametersOf(settings, model)}
            mostTokens={catalog.find(({ id }) => id === model)?.maxOutputTokens ?? null}
            onChange={(change) =>
              onChange({ own: { ...own, [model]: { ...ownParametersOf(settings, model), ...change } } })
            }
          />
        </div>
      )}
    </fieldset>
  );
}
