import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { budgetsFor } from "@/lib/accounts/key-budgets";
import { type GatewayError, invalid, isGatewayError } from "@/lib/kernel/errors";
import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import { type NamedBytes, renamedBytes } from "@/lib/kernel/model-name";
import { printJsonBytes } from "@/lib/kernel/print-json-bytes";
import { directOf } from "@/lib/protocols/adapters/direct-adapter";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import type { Rendered } from "@/lib/protocols/adapters/rendered";
import type { Compatibility } from "@/lib/protocols/generation/compatibility";
import { USUAL_OUTPUT } from "@/lib/protocols/passes/rendering";
import { prepareRequest } from "@/lib/protocols/prepare-request";
import { profileFor } from "@/lib/protocols/profiles/families";
import type { Profile } from "@/lib/protocols/profiles/profile";
import { providerOf } from "@/lib/protocols/profiles/provider";
import { nodeAdapterOf } from "@/lib/protocols/registry";
import { type CatalogModel, type CatalogNode, type CatalogRoute, routesOf } from "@/lib/router/catalog";
import { type Candidate, orderNodes, type Skipped } from "@/lib/router/order";
import { conversationKey } from "@/lib/router/sticky-nodes";
import { MAX_TOKENS } from "@/lib/shared/prices/cost";
import { affordableOutput, type HoldTerms } from "@/lib/shared/prices/hold";
import { extraPricesOf } from "@/lib/shared/prices/special-prices";
import type { GatewayRequest } from "./gateway-request";
import type { Operation } from "./operation";
import { billableOutput } from "./output-cap";
import { openFor, sealFor } from "./reasoning-vault";
import type { Gateway } from "./runtime";
import type { TranslatorOptions } from "./translator";

/** The part of the caller's remaining quota that a default output limit may hold. Source: docs/contract.md#b8. */
const QUARTER = 4n;

/** Bodies of more tokens are printed in parts. */
const LARGE_TOKENS = 8_000;

/** Which nodes get which request: the nodes in order, and the skipped ones. */
export interface GenerationPlan {
  readonly model: CatalogModel;
  /** The validated body, to count its tokens when the upstream reports none. */
  readonly body: JsonObject;
  /** Prompt tokens by the byte formula. */
  readonly inputEstimate: number;
  readonly planned: readonly PlannedAttempt[];
  readonly skipped: readonly Skipped[];
  readonly conversation: string | null;
}

/** The inputs of a plan. */
export interface PlanInput {
  operation: Operation;
  gateway: Gateway;
  call: GatewayRequest;
  key: GatewayKey;
  model: CatalogModel;
  /** Validated. */
  body: JsonObject;
  /** What `body` was parsed from; null when it must not be sent like that. */
  source: NamedBytes | null;
  version: string;
  compatibility: Compatibility;
  /** Prompt tokens by the byte formula. */
  inputEstimate: number;
  /** What the request can be billed as. */
  terms: HoldTerms;
  /** The node that served the earlier turns of the conversation; null: unknown. */
  servedBy?: string | null;
}

/**
 * Orders the nodes of a model and prepares the request for each. A node whose protocol cannot express the
 * request is left out; when no node can, the first reason is thrown. Throws: INVALID_REQUEST.
 */
export function planAttempts(input: PlanInput): GenerationPlan {
  const { catalog, health, sticky, random } = input.gateway;
  const routes = routesOf(catalog.current, input.model);
  // With a single node there is no preference.
  const conversation =
    routes.length > 1 ? conversationKey(input.key.keyId, input.model.alias, openingOf(input)) : null;
  const order = orderNodes({
    routes,
    availability: (target) => health.availability(target),
    random,
    preferredNodeId: input.servedBy ?? sticky.get(conversation),
  });
  const planned: PlannedAttempt[] = [];
  const refusals: GatewayError[] = [];
  for (const candidate of order.candidates) {
    try {
      const { route, node } = candidate;
      const upstream = adapterOf(input.operation, node);
      planned.push(new PlannedAttempt(input, candidate, upstream, prepare(input, route, node, upstream)));
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      refusals.push(error);
    }
  }
  if (planned.length === 0) checkExpressible(input, order.skipped, refusals);
  // Nodes that support all requested choices come first. Source: docs/contract.md#b4.
  if (planned.length > 1) planned.sort((a, b) => b.prepared.choices - a.prepared.choices);
  const { model, body, inputEstimate } = input;
  return { model, body, inputEstimate, planned, skipped: order.skipped, conversation };
}

/** The adapters of generations, by node. */
const generationAdapters = new WeakMap<CatalogNode, NodeAdapter>();

/**
 * The adapter for a node, cached as long as its snapshot is in use. Throws: INVALID_REQUEST when its protocol does not
 * have the operation.
 */
function adapterOf({ nodes, kind }: Operation, node: CatalogNode): NodeAdapter {
  const { protocol } = node;
  const adapter = nodes[protocol];
  if (adapter === null)
    throw invalid("model", `The nodes of this model speak ${protocol}, which has no embeddings.`);
  if (kind !== "generation") return adapter;
  const known = generationAdapters.get(node);
  if (known !== undefined) return known;
  const found = nodeAdapterOf(node);
  generationAdapters.set(node, found);
  return found;
}

function openingOf({ operation, call, body }: PlanInput): string {
  return operation.clients[call.protocol].conversation(body, call.headers["session-id"]);
}

/** A refusal that depends on a setting is more helpful than one that occurs with every setting. */
function mostHelpful(refusals: GatewayError[]): GatewayError | undefined {
  return refusals.find(({ details }) => details.alternative !== undefined) ?? refusals[0];
}

/** The most output of any planned node. Units: tokens, at most 100,000,000. */
export function maxOutputTokens({ planned }: GenerationPlan): number {
  let most = 0;
  for (const { prepared } of planned) most = Math.max(most, prepared.maxTokens);
  return Math.min(MAX_TOKENS, most);
}

/**
 * The output that the limit of tokens per minute reserves: a default limit that the client did not ask for must not use
 * up a whole minute. The settlement replaces it by the real count. Units: tokens. Source: docs/contract.md#b8.
 */
export function reservedOutputTokens({ planned }: GenerationPlan): number {
  let most = 0;
  for (const { prepared } of planned) {
    const { limitChosen, choices, maxTokens } = prepared;
    most = Math.max(most, limitChosen ? Math.min(USUAL_OUTPUT * choices, maxTokens) : maxTokens);
  }
  return Math.min(MAX_TOKENS, most);
}

/**
 * Throws when no node could express the request, not even a node that is temporarily unavailable: the caller's error.
 * Throws: INVALID_REQUEST.
 */
function checkExpressible(input: PlanInput, skipped: readonly Skipped[], refusals: GatewayError[]): void {
  const out = skipped.filter(({ why }) => why !== "disabled");
  for (const { route, node } of out.length === 0 && refusals.length === 0 ? skipped : out) {
    try {
      prepare(input, route, node, adapterOf(input.operation, node));
      return;
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      refusals.push(error);
    }
  }
  const refusal = mostHelpful(refusals);
  if (refusal !== undefined) throw refusal;
}

/** One node to ask, with the exact request it would get. */
export class PlannedAttempt {
  readonly candidate: Candidate;
  /** The adapter with which the node is called and read. */
  readonly upstream: NodeAdapter;
  readonly prepared: Rendered;
  readonly #input: PlanInput;

  constructor(input: PlanInput, candidate: Candidate, upstream: NodeAdapter, prepared: Rendered) {
    this.#input = input;
    this.candidate = candidate;
    this.upstream = upstream;
    this.prepared = prepared;
  }

  /** The prepared body as JSON: when only the model name changes, the client's own bytes with the node's model name. */
  bytes(): Buffer {
    const { operation, call, source, body: received, inputEstimate } = this.#input;
    const { body } = this.prepared;
    const passes = directOf(operation.clients[call.protocol], this.upstream) !== undefined;
    if (source !== null && passes && hasSameFields(body, received))
      return renamedBytes(source, String(body.model));
    return inputEstimate > LARGE_TOKENS ? printJsonBytes(body) : Buffer.from(printJson(body));
  }

  /** Lets go of the body as it came: no other node will be asked. */
  dropSource(): void {
    this.#input.source = null;
  }

  /**
   * The same attempt without reasoning, for a node that refused reasoning that another node has sealed; null: the body
   * contains none.
   */
  withoutReasoning(): PlannedAttempt | null {
    const body = this.upstream.withoutReasoning?.(this.prepared.body) ?? null;
    if (body === null) return null;
    const losses = [...new Set(this.prepared.losses).add("dropped:reasoning")];
    const prepared = { ...this.prepared, body, losses };
    return new PlannedAttempt(this.#input, this.candidate, this.upstream, prepared);
  }

  /** The options for translating this node's answer. */
  translatorOptions(): TranslatorOptions {
    return translatorOptions(this.#input, this);
  }
}

function hasSameFields(sent: JsonObject, received: JsonObject): boolean {
  let fields = 0;
  for (const name in sent) {
    if (name !== "model" && sent[name] !== received[name]) return false;
    fields += 1;
  }
  for (const _name in received) fields -= 1;
  return fields === 0;
}

function prepare(input: PlanInput, route: CatalogRoute, node: CatalogNode, upstream: NodeAdapter): Rendered {
  const { operation, model, inputEstimate, terms } = input;
  const { provenanceKey, secrets } = input.gateway;
  return prepareRequest(input.body, {
    client: operation.clients[input.call.protocol],
    upstream,
    alias: model.alias,
    upstreamModel: route.upstreamModel,
    profile: profileOf(route, node, model),
    compatibility: input.compatibility,
    defaultMaxTokens: model.defaultMaxTokens,
    maxOutputTokens: model.maxOutputTokens,
    affordableOutput: affordableOutput(remainingOf(input) / QUARTER, inputEstimate, model.price, terms),
    contextLeft: model.contextWindow === null ? MAX_TOKENS : model.contextWindow - inputEstimate,
    version: input.version,
    perCall: model.price.perCall,
    extraPrices: extraPricesOf(model.price),
    provenanceKey,
    openReasoning: (sealed) => openFor({ route, node }, sealed, secrets.reasoning),
    headers: input.call.headers,
  });
}

/** What key and account have left, and the rules on money that are never passed. Units: micro-cents. */
function remainingOf({ gateway, key, model }: PlanInput): bigint {
  const remaining = gateway.balances.remaining(key);
  const rules = budgetsFor(key, model.alias)?.rules;
  if (rules === undefined) return remaining;
  const room = gateway.knownBudgets.hardRoom(rules, gateway.clock.date().getTime());
  return room !== null && room < remaining ? room : remaining;
}

const profiles = new WeakMap<CatalogRoute, Profile>();

/** The profile of a route, cached as long as its snapshot is in use. */
function profileOf(route: CatalogRoute, node: CatalogNode, model: CatalogModel): Profile {
  const known = profiles.get(route);
  if (known) return known;
  const profile = profileFor(route.upstreamModel, node.protocol, model.profile, providerOf(node).facts);
  profiles.set(route, profile);
  return profile;
}

function translatorOptions(
  input: PlanInput,
  { candidate, upstream, prepared }: PlannedAttempt,
): TranslatorOptions {
  const { operation, call, model, body, gateway } = input;
  const client = operation.clients[call.protocol];
  // One literal: spreading other objects into it takes ten times as long.
  return {
    client,
    upstream,
    request: body,
    stream: prepared.clientStream,
    choices: prepared.choices,
    hideReasoning: prepared.hideReasoning,
    reasoningIsSummary: upstream.api.reasoningIsSummary === true,
    echoInstructions: gateway.settings.responsesEchoInstructions,
    clock: gateway.clock,
    singleToolCall: prepared.singleToolCall,
    toolNames: prepared.toolNames,
    wrappedTools: prepared.wrappedTools,
    stops: prepared.stops,
    jsonInWords: prepared.jsonInWords,
    id: client.answerId(call.requestId),
    alias: typeof body.model === "string" ? body.model : model.alias,
    created: Math.floor(call.receivedAt.getTime() / 1_000),
    inputEstimate: input.inputEstimate,
    usageCeiling: usageCeiling(model, prepared),
    outputCap: billableOutput(prepared.maxTokens),
    offeredCalls: prepared.offeredCalls,
    seal: directOf(client, upstream) ? null : sealFor(candidate, gateway.secrets.reasoning),
  };
}

/** Each choice may use the whole context window; twice that is accepted. */
function usageCeiling({ contextWindow }: CatalogModel, { choices }: Rendered): number | undefined {
  return contextWindow === null ? undefined : Math.min(MAX_TOKENS, 2 * contextWindow * choices);
}
