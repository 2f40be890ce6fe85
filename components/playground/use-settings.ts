"use client";

import {
  createLoader,
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
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { useGeneratingModels } from "../api/queries";
import type { CatalogModel } from "../api/types";
import { useShell } from "../shell/shell-context";
import { modelToTry } from "../snippets/snippets";
import { mostTemperature } from "./calls";
import { hasTexts } from "./link-texts";
import { loadSettings, storeSettings } from "./stored-playground";

/** How many models answer side by side at most. */
export const MAX_MODELS = 3;
const DEFAULT_MAX_TOKENS = 1024;

/** The settings that the address of the page has. Texts are never in it. */
export interface SharedSettings {
  protocol: Protocol;
  /** One to three; none where the gateway has no model. */
  models: readonly string[];
  maxTokens: number;
  temperature: number;
  /** Null: calls do not name it. */
  topP: number | null;
  stream: boolean;
  /** Whether answers are to be JSON objects. */
  json: boolean;
}

const parsers = {
  model: parseAsArrayOf(parseAsString).withDefault([]),
  protocol: parseAsStringLiteral(protocolIds).withDefault("chat"),
  max: parseAsInteger.withDefault(DEFAULT_MAX_TOKENS),
  temperature: parseAsFloat.withDefault(1),
  top_p: parseAsFloat,
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

/** The settings in the address, and the models to choose from. */
export function useSettings(): {
  settings: SharedSettings;
  catalog: CatalogModel[];
  /** The most output tokens that each of the models can give; null where it is not known. */
  mostTokens: number | null;
  /** Models of the address that cannot be asked. */
  unknown: readonly string[];
  change: (change: Partial<SharedSettings>) => void;
} {
  const catalog = useGeneratingModels();
  const [url, changeUrl] = useKeptQuery();
  const isKnown = (id: string) => catalog.some((model) => model.id === id);
  const wanted = [...new Set(url.model)];
  const known = wanted.filter(isKnown);
  const models =
    known.length > 0 ? known.slice(0, MAX_MODELS) : catalog.length === 0 ? [] : [modelToTry(catalog)];
  const mostTokens = smallestOutput(catalog.filter(({ id }) => models.includes(id)));
  const settings: SharedSettings = {
    protocol: url.protocol,
    models,
    maxTokens: Math.max(1, Math.min(url.max, mostTokens ?? url.max)),
    temperature: Math.min(mostTemperature[url.protocol], Math.max(0, url.temperature)),
    topP: url.top_p === null ? null : Math.min(1, Math.max(0, url.top_p)),
    stream: url.stream,
    json: url.json,
  };
  function change({ models, maxTokens, topP, ...others }: Partial<SharedSettings>) {
    changeUrl({
      ...others,
      ...(models === undefined ? {} : { model: [...models] }),
      ...(maxTokens === undefined ? {} : { max: maxTokens }),
      ...(topP === undefined ? {} : { top_p: topP }),
    });
  }
  const unknown = catalog.length === 0 ? [] : wanted.filter((id) => !isKnown(id));
  return { settings, catalog, mostTokens, unknown, change };
}

/** The smallest output limit of models; null where none is known. */
function smallestOutput(models: readonly CatalogModel[]): number | null {
  const known = models.flatMap(({ maxOutputTokens }) => maxOutputTokens ?? []);
  return known.length === 0 ? null : Math.min(...known);
}
