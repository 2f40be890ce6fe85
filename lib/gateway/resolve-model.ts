import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { callMessages } from "@/lib/kernel/error-messages";
import { GatewayError } from "@/lib/kernel/errors";
import { type CatalogModel, type CatalogSnapshot, resolveAlias } from "@/lib/router/catalog";
import type { Gateway } from "./runtime";

/**
 * The offered model with a name. Throws: MODEL_NOT_FOUND, with the most similar name of the models of the key.
 * Source: docs/contract.md#s6, docs/protocols.md#d17.
 */
export function resolveModel({ catalog }: Gateway, key: GatewayKey, name: string): CatalogModel {
  const model = resolveAlias(catalog.current, name);
  if (model !== null) return model;
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  throw new GatewayError(
    "MODEL_NOT_FOUND",
    callMessages.noModel(shown, nearestName(catalog.current, key, name)),
    {
      param: "model",
    },
  );
}

/** Longer names are not compared; a name that differs in more than a third of its letters is not similar. */
const LONGEST_COMPARED = 100;

const MOST_COMPARED = 1_000;

const MOST_EDITS = 3;

/** The alias most similar to a mistyped name, among the live models that a key may use; null: none is similar. */
export function nearestName(catalog: CatalogSnapshot, key: GatewayKey, name: string): string | null {
  if (name.length > LONGEST_COMPARED) return null;
  const wanted = name.trim().toLowerCase();
  let near: string | null = null;
  let limit = Math.min(MOST_EDITS, Math.floor(wanted.length / 3));
  for (const model of [...catalog.models.values()].slice(0, MOST_COMPARED)) {
    const edits = editsBetween(wanted, model.alias.toLowerCase(), limit);
    if (edits > limit || (near !== null && edits === limit) || !mayUse(catalog, key, model)) continue;
    near = model.alias;
    limit = edits;
  }
  return near;
}

/** The number of inserted, removed and changed letters; any number above `limit` when there are more. */
function editsBetween(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(change, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    if (Math.min(...current) > limit) return limit + 1;
    above = current;
  }
  return above[b.length] ?? 0;
}

/** Throws: FORBIDDEN for a model outside the key's list. Source: docs/contract.md#s6, docs/protocols.md#d17. */
export function requireAllowed({ catalog }: Gateway, key: GatewayKey, model: CatalogModel): void {
  if (mayUse(catalog.current, key, model)) return;
  throw new GatewayError("FORBIDDEN", callMessages.modelForbidden(model.alias), { param: "model" });
}

/** The models that `mayUse` allows, in their order; each name of the key's list is looked up once. */
export function usableModels(catalog: CatalogSnapshot, key: GatewayKey): CatalogModel[] {
  const all = [...catalog.models.values()];
  if (key.models === null) return all;
  const usable = new Set<CatalogModel | null | undefined>();
  for (const name of key.models) usable.add(resolveAlias(catalog, name)).add(catalog.models.get(name));
  return all.filter((model) => usable.has(model));
}

/** True when the key's list, if it has one, names the model by any of its names. */
export function mayUse(catalog: CatalogSnapshot, key: GatewayKey, model: CatalogModel): boolean {
  if (key.models === null) return true;
  return key.models.some((name) => name === model.alias || resolveAlias(catalog, name) === model);
}
