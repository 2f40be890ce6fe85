import type { FieldErrors } from "@/components/forms/use-record-form";
import { isObject, parseJson } from "@/lib/kernel/json";
import type { ModelKind } from "@/lib/protocols/protocol";
import type { Messages } from "../../i18n/messages";
import { readWhole, typedNumber } from "../draft";
import type { AdminModel } from "../types";

const MAX_COUNT = 2_000_000_000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/;
const FURTHER_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}\*?$/;

/** The details of a model, as typed. */
export interface DetailsDraft {
  alias: string;
  kind: ModelKind;
  displayName: string;
  alsoKnownAs: string;
  contextWindow: string;
  maxOutputTokens: string;
  defaultMaxTokens: string;
  profile: string;
  enabled: boolean;
}

/** The details of a model, as sent. */
export interface DetailsBody {
  alias: string;
  kind: ModelKind;
  displayName: string;
  alsoKnownAs: string[];
  contextWindow: number | null;
  maxOutputTokens: number | null;
  defaultMaxTokens: number | null;
  profile: Record<string, unknown>;
  enabled: boolean;
}

/** The form filled from a model, or empty. */
export function detailsDraftOf(model: AdminModel | null): DetailsDraft {
  const profile = model?.profile ?? {};
  return {
    alias: model?.alias ?? "",
    kind: model?.kind ?? "generation",
    displayName: model?.displayName ?? "",
    alsoKnownAs: (model?.alsoKnownAs ?? []).join(", "),
    contextWindow: typedNumber(model?.contextWindow),
    maxOutputTokens: typedNumber(model?.maxOutputTokens),
    defaultMaxTokens: typedNumber(model?.defaultMaxTokens),
    profile: Object.keys(profile).length === 0 ? "" : JSON.stringify(profile, null, 2),
    enabled: model?.enabled ?? true,
  };
}

/** Validates the details of a model; adds problems to `errors`. */
export function readDetails(
  draft: DetailsDraft,
  text: Messages["adminModels"],
  admin: Messages["admin"],
  errors: FieldErrors,
): DetailsBody {
  const alias = draft.alias.trim();
  if (!NAME.test(alias)) errors.alias = [text.aliasRule];
  const alsoKnownAs = draft.alsoKnownAs
    .split(/[,，\s]+/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (!alsoKnownAs.every((name) => FURTHER_NAME.test(name))) errors.alsoKnownAs = [text.aliasRule];
  const count = (name: "contextWindow" | "maxOutputTokens" | "defaultMaxTokens") => {
    const value = readWhole(draft[name], 1, MAX_COUNT);
    if (value === undefined) errors[name] = [admin.number];
    return value ?? null;
  };
  const profile = readObject(draft.profile);
  if (profile === null) errors.profile = [text.profileRule];
  return {
    alias,
    kind: draft.kind,
    displayName: draft.displayName.trim(),
    alsoKnownAs,
    contextWindow: count("contextWindow"),
    maxOutputTokens: count("maxOutputTokens"),
    defaultMaxTokens: count("defaultMaxTokens"),
    profile: profile ?? {},
    enabled: draft.enabled,
  };
}

function readObject(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  const value = parseJson(text);
  return isObject(value) ? value : null;
}
