import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { runtime } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";
import { type CatalogModel, isServed, resolveAlias } from "@/lib/router/catalog";

/** A disabled node comes back when somebody enables it, and nobody knows when. */
const RETRY_AFTER_DISABLED_SECONDS = 30;

/**
 * The offered model of a name that the key may use.
 * Throws: MODEL_NOT_FOUND, FORBIDDEN (outside the key's list). Source: docs/contract.md#s6, docs/protocols.md#d17.
 */
export function resolveModel(name: string, key: GatewayKey): CatalogModel {
  const model = resolveAlias(runtime().catalog.current, name);
  if (model === null) {
    const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
    throw new GatewayError("MODEL_NOT_FOUND", `There is no model \`${shown}\`. GET /v1/models lists them.`, {
      param: "model",
    });
  }
  if (!mayUse(key, model)) {
    throw new GatewayError("FORBIDDEN", `This key may not use the model \`${model.alias}\`.`, {
      param: "model",
    });
  }
  return model;
}

/** Throws: NO_AVAILABLE_NODE when all nodes of a model are disabled. Source: docs/contract.md#b14. */
export function requireNode(model: CatalogModel): void {
  if (isServed(runtime().catalog.current, model)) return;
  const nodes = model.routes.length === 0 ? "There are no nodes for" : "All nodes are disabled of";
  throw new GatewayError(
    "NO_AVAILABLE_NODE",
    `${nodes} the model \`${model.alias}\`; nothing was billed. Try again later.`,
    { param: "model", retryAfterSeconds: RETRY_AFTER_DISABLED_SECONDS },
  );
}

/** True when the key's list, if it has one, names the model by any of its names. */
export function mayUse(key: GatewayKey, model: CatalogModel): boolean {
  if (key.models === null) return true;
  return key.models.some(
    (name) => name === model.alias || resolveAlias(runtime().catalog.current, name) === model,
  );
}
