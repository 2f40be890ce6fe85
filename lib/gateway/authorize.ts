import { hash as digest } from "node:crypto";
import { type GatewayKey, isKeyUsable, isWellFormedKey, UNUSABLE_KEY } from "@/lib/accounts/gateway-key";
import { callMessages, GatewayError, invalid } from "@/lib/kernel/errors";
import { bearerToken } from "@/lib/kernel/http";
import { clientPaths, embeddingsPath, type ModelKind } from "@/lib/protocols/protocol";
import { type CatalogModel, type CatalogSnapshot, isServed, resolveAlias } from "@/lib/router/catalog";
import type { GatewayRequest } from "./exchange";
import type { Operation } from "./operation";
import type { GenerationPlan } from "./plan";
import type { Gateway } from "./runtime";

/**
 * The usable key of a call. Unknown, malformed, disabled, deleted and expired keys get one and the same answer.
 * Throws: INVALID_API_KEY, RATE_LIMITED (too many bad credentials from one address). Source: docs/contract.md#s6,
 * docs/protocols.md#s2-2.
 */
export async function authenticate(gateway: Gateway, call: GatewayRequest): Promise<GatewayKey> {
  const hash = credentialHash(call);
  const known = hash === null ? null : gateway.keys.peek(hash, call.receivedAtMs);
  return usableKey(gateway, call, known === undefined ? await gateway.keys.get(hash ?? "") : known);
}

/** As `authenticate`, for a key that is in the cache; null when it must be looked up first. Throws: as `authenticate`. */
export function cachedKey(gateway: Gateway, call: GatewayRequest): GatewayKey | null {
  const hash = credentialHash(call);
  const known = hash === null ? null : gateway.keys.peek(hash, call.receivedAtMs);
  return known === undefined ? null : usableKey(gateway, call, known);
}

/** Null: the call has no key of the right form. */
function credentialHash(call: GatewayRequest): string | null {
  const text = credentialOf(call);
  return text !== null && isWellFormedKey(text) ? digest("sha256", text) : null;
}

function usableKey(gateway: Gateway, call: GatewayRequest, key: GatewayKey | null): GatewayKey {
  if (key !== null && isKeyUsable(key, call.receivedAtMs)) return key;
  throw gateway.admission.ofAddress(call.clientIp) ?? new GatewayError("INVALID_API_KEY", refusalOf(call));
}

function refusalOf(call: GatewayRequest): string {
  return credentialOf(call) === null
    ? "The request has no API key. Send one as `Authorization: Bearer tgw-…`, `x-api-key` or `api-key`."
    : UNUSABLE_KEY;
}

/** The first that is there counts: `x-api-key`, `api-key`, `Authorization`. Source: docs/contract.md#b10. */
export function credentialOf(call: GatewayRequest): string | null {
  const apiKey = call.headers["x-api-key"]?.trim() || call.headers["api-key"]?.trim();
  if (apiKey) return apiKey;
  return bearerToken(call.headers.authorization);
}

const endpoints: Readonly<Record<ModelKind, string>> = {
  generation: Object.values(clientPaths)
    .map((path) => `POST ${path}`)
    .join(" or "),
  embedding: `POST ${embeddingsPath}`,
};

/** Throws: INVALID_REQUEST for an alias of another kind, naming the endpoint that serves it. */
export function requireKind({ alias, kind }: CatalogModel, operation: Operation): void {
  if (kind === operation.kind) return;
  const does = kind === "embedding" ? "makes embeddings only" : "makes no embeddings";
  throw invalid("model", `The model \`${alias}\` ${does}. Use ${endpoints[kind]}.`);
}

/** A disabled node returns when an admin enables it, at an unknown time. */
const RETRY_AFTER_DISABLED_SECONDS = 30;

/**
 * The offered model of a name. Throws: MODEL_NOT_FOUND, with the name that comes nearest of the models of the key.
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

/** A longer name is not compared, and one that differs in more than a third of its letters is not near. */
const LONGEST_COMPARED = 100;
const MOST_COMPARED = 1_000;
const MOST_EDITS = 3;

/** The alias that comes nearest to a mistyped name, of the live models that a key may use; null: none is near. */
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

/** Letters that are put in, left out or changed; any number above the limit where there are more. */
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

/** Throws: NO_AVAILABLE_NODE when all nodes of a model are disabled. Source: docs/contract.md#b14. */
export function requireNode({ catalog }: Gateway, model: CatalogModel): void {
  if (isServed(catalog.current, model)) return;
  const message = model.routes.length === 0 ? callMessages.noNodes : callMessages.disabled;
  throw new GatewayError("NO_AVAILABLE_NODE", message(model.alias), {
    param: "model",
    retryAfterSeconds: RETRY_AFTER_DISABLED_SECONDS,
  });
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

/** True when the caller asks what would happen. Source: docs/contract.md#s6 (`x-tollgate-explain`). */
export function wantsDryRun(call: GatewayRequest): boolean {
  return call.headers["x-tollgate-explain"] === "1";
}

/** True when the caller wants a refusal instead of a loss. Source: docs/contract.md#s6 (`x-tollgate-strict`). */
export function wantsStrict(call: GatewayRequest): boolean {
  return call.headers["x-tollgate-strict"] === "1";
}

/** Throws: INVALID_REQUEST naming what has been left out before any node is chosen. Source: docs/contract.md#s6. */
export function refuseDrops(losses: readonly string[]): void {
  const dropped = dropsOf(losses);
  if (dropped.length > 0) throw dropRefusal(dropped, "This path");
}

/** The plan with the nodes that lose nothing. Throws: INVALID_REQUEST naming the first field that all the others drop. */
export function withoutDrops(plan: GenerationPlan): GenerationPlan {
  const [first] = plan.planned;
  const lossless = plan.planned.filter(({ prepared }) => dropsOf(prepared.losses).length === 0);
  if (first !== undefined && lossless.length === 0)
    throw dropRefusal(dropsOf(first.prepared.losses), "The upstream of this model");
  return { ...plan, planned: lossless };
}

function dropsOf(warnings: readonly string[]): string[] {
  return warnings.filter((code) => code.startsWith("dropped:")).map((code) => code.slice("dropped:".length));
}

function dropRefusal(dropped: readonly string[], where: string) {
  return invalid(
    dropped[0] ?? "body",
    `${where} has no equivalent for: ${dropped.join(", ")} (x-tollgate-strict is on).`,
  );
}
