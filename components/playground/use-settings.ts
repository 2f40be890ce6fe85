"use client";

import {
  createLoader,
  createParser,
  createSerializer,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsFloat,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { useEffect } from "react";
import type { CallOptions, CallParameters } from "@/lib/protocols/kit/call-input";
import { efforts } from "@/lib/protocols/kit/efforts";
import { protocolKits } from "@/lib/protocols/kit/kits";
import { isInRange, type NumberOption, numberOptionIds } from "@/lib/protocols/kit/number-options";
import { type ClientProtocol, clientProtocols } from "@/lib/protocols/protocol";
import { useShell } from "../api/shell-facts";
import type { CatalogModel } from "../api/types";
import { useGeneratingModels } from "../api/use-generating-models";
import { modelToTry } from "../snippets/model-to-try";
import { hasTexts } from "./link-texts";
import { loadSettings, storeSettings } from "./stored-playground";

/** How many models answer side by side at most. */
export const MAX_MODELS = 3;
const DEFAULT_MAX_TOKENS = 1024;

/** The settings that the address of the page has. Texts are never in it. */
export interface SharedSettings extends CallParameters, CallOptions {
  protocol: ClientProtocol;
  /** One to three; none where the gateway has no model. */
  models: readonly string[];
  /** By model: what takes the place of the parameters of all, while several models are compared. */
  own: OwnParameters;
  stream: boolean;
  /** Whether answers are to be JSON objects. */
  json: boolean;
}

/** Parameters of single models, by their names. */
type OwnParameters = Readonly<Record<string, CallParameters>>;

/** Whether a model has parameters of its own; one alone has those of all. */
export function hasOwnParameters({ models, own }: Pick<SharedSettings, "models" | "own">, model: string) {
  return models.length > 1 && Object.hasOwn(own, model);
}

/** The parameters of the calls to a model. */
export function ownParametersOf(
  settings: CallParameters & Pick<SharedSettings, "models" | "own">,
  model: string,
): CallParameters {
  const { maxTokens, temperature } = (hasOwnParameters(settings, model) && settings.own[model]) || settings;
  return { maxTokens, temperature };
}

/** In the address: `model~tokens~temperature`. */
const parseAsOwn = createParser<OwnParameters>({
  parse: (text) =>
    Object.fromEntries(
      text.split(",").flatMap((entry) => {
        const [model = "", maxTokens, temperature] = entry.split("~");
        const values = { maxTokens: Number(maxTokens), temperature: Number(temperature) };
        const isRight = Number.isInteger(values.maxTokens) && values.temperature >= 0;
        return model !== "" && isRight ? [[model, values] as const] : [];
      }),
    ),
  serialize: (own) =>
    Object.entries(own)
      .map(([model, { maxTokens, temperature }]) => [model, maxTokens, temperature].join("~"))
      .join(","),
  eq: (one, other) => JSON.stringify(one) === JSON.stringify(other),
});

const parsers = {
  model: parseAsArrayOf(parseAsString).withDefault([]),
  own: parseAsOwn.withDefault({}),
  protocol: parseAsStringLiteral(clientProtocols).withDefault("chat"),
  max: parseAsInteger,
  temperature: parseAsFloat.withDefault(1),
  top_p: parseAsFloat,
  top_k: parseAsFloat,
  seed: parseAsFloat,
  frequency_penalty: parseAsFloat,
  presence_penalty: parseAsFloat,
  effort: parseAsStringLiteral(efforts),
  stream: parseAsBoolean.withDefault(true),
  json: parseAsBoolean.withDefault(false),
};

const queryOf = createSerializer(parsers);
const readQuery = createLoader(parsers);

/** The settings in the address, where links of the console, which have none, bring back the last ones of this tab. */
function useKeptQuery() {
  const { username } = useShell();
  const [url, setUrl] = useQueryStates(parsers);
  const query = queryOf(url);
  useEffect(() => {
    const kept = loadSettings(username);
    // A link with texts and no settings was made with the default ones.
    if (query !== "" || hasTexts(window.location.hash)) storeSettings(username, query);
    else if (kept !== "") void setUrl(readQuery(kept));
  }, [username, query, setUrl]);
  function change(change: Partial<typeof url>) {
    storeSettings(username, queryOf({ ...url, ...change }));
    void setUrl(change);
  }
  return [url, change] as const;
}

/** The highest temperature that a call may have here. */
export function useHighestTemperature(protocol: ClientProtocol): number {
  const { maxTemperature } = useShell();
  const { temperatureBySetting, highestTemperature } = protocolKits[protocol];
  return temperatureBySetting ? maxTemperature : highestTemperature;
}

/** The settings in the address, and the models to choose from. */
export function useSettings(): {
  settings: SharedSettings;
  catalog: CatalogModel[];
  /** The most output tokens that each of the models can give; null where it is not known. */
  mostTokens: number | null;
  /** Models of the address that cannot be asked. */
  unknown: readonly string[];
  /** Why no call can be made. */
  problem: ParameterProblem | null;
  change: (change: Partial<SharedSettings>) => void;
} {
  const catalog = useGeneratingModels();
  const [url, changeUrl] = useKeptQuery();
  const isKnown = (id: string) => catalog.some((model) => model.id === id);
  const wanted = [...new Set(url.model)];
  const known = wanted.filter(isKnown);
  const models =
    known.length > 0 ? known.slice(0, MAX_MODELS) : catalog.length === 0 ? [] : [modelToTry(catalog)];
  const ofAll = models.filter((id) => !hasOwnParameters({ models, own: url.own }, id));
  const mostTokens = smallestOutput(catalog.filter(({ id }) => ofAll.includes(id)));
  const highest = useHighestTemperature(url.protocol);
  const bounded = (temperature: number) => Math.min(highest, Math.max(0, temperature));
  const own = Object.entries(url.own).map(
    ([id, values]) => [id, { ...values, temperature: bounded(values.temperature) }] as const,
  );
  const settings: SharedSettings = {
    protocol: url.protocol,
    models,
    own: Object.fromEntries(own),
    maxTokens: url.max ?? Math.min(DEFAULT_MAX_TOKENS, mostTokens ?? DEFAULT_MAX_TOKENS),
    temperature: bounded(url.temperature),
    topP: url.top_p,
    topK: url.top_k,
    seed: url.seed,
    frequencyPenalty: url.frequency_penalty,
    presencePenalty: url.presence_penalty,
    effort: url.effort,
    stream: url.stream,
    json: url.json,
  };
  function change(changes: Partial<SharedSettings>) {
    const { models, maxTokens, topP, topK, frequencyPenalty, presencePenalty, ...others } = changes;
    changeUrl({
      ...others,
      ...(models === undefined ? {} : { model: [...models] }),
      ...(maxTokens === undefined ? {} : { max: maxTokens }),
      ...(topP === undefined ? {} : { top_p: topP }),
      ...(topK === undefined ? {} : { top_k: topK }),
      ...(frequencyPenalty === undefined ? {} : { frequency_penalty: frequencyPenalty }),
      ...(presencePenalty === undefined ? {} : { presence_penalty: presencePenalty }),
    });
  }
  const unknown = catalog.length === 0 ? [] : wanted.filter((id) => !isKnown(id));
  return {
    settings,
    catalog,
    mostTokens,
    unknown,
    problem: problemOf(settings, catalog, mostTokens),
    change,
  };
}

/** A parameter that cannot be sent as it was typed. */
export type ParameterProblem = { field: "maxTokens"; mostTokens: number | null } | { field: NumberOption };

/** The first parameter that is out of its range; nothing is sent in its place. */
export function problemOf(
  settings: SharedSettings,
  catalog: readonly CatalogModel[],
  mostTokens: number | null,
): ParameterProblem | null {
  for (const id of settings.models) {
    const most = hasOwnParameters(settings, id)
      ? (catalog.find((model) => model.id === id)?.maxOutputTokens ?? null)
      : mostTokens;
    if (!isTokenLimit(ownParametersOf(settings, id).maxTokens, most))
      return { field: "maxTokens", mostTokens: most };
  }
  const wrong = wrongOption(settings.protocol, settings);
  return wrong === null ? null : { field: wrong };
}

/** The first option of a protocol that is out of its range. */
function wrongOption(protocol: ClientProtocol, options: CallOptions): NumberOption | null {
  const { numberFields } = protocolKits[protocol];
  const isWrong = (id: NumberOption) => {
    const value = options[id] ?? null;
    return numberFields[id] !== undefined && value !== null && !isInRange(id, value);
  };
  return numberOptionIds.find(isWrong) ?? null;
}

/** Whether an answer can have so many tokens at most. */
export function isTokenLimit(value: number, most: number | null): boolean {
  return Number.isInteger(value) && value >= 1 && value <= (most ?? value);
}

/** The smallest output limit of models; null where none is known. */
function smallestOutput(models: readonly CatalogModel[]): number | null {
  const known = models.flatMap(({ maxOutputTokens }) => maxOutputTokens ?? []);
  return known.length === 0 ? null : Math.min(...known);
}
