import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { affordableOutput, MAX_TOKENS } from "@/lib/billing/price";
import { type GatewayError, invalid, isGatewayError } from "@/lib/kernel/errors";
import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import { withModelName } from "@/lib/kernel/model-name";
import { directOf } from "@/lib/protocols/adapters/direct-adapter";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import type { Rendered } from "@/lib/protocols/adapters/rendered";
import type { Compatibility } from "@/lib/protocols/generation/compatibility";
import { USUAL_OUTPUT } from "@/lib/protocols/passes/rendering";
import { prepareRequest } from "@/lib/protocols/prepare-request";
import { profileFor } from "@/lib/protocols/profiles/families";
import type { Profile } from "@/lib/protocols/profiles/profile";
import { providerOf } from "@/lib/protocols/profiles/provider";
import { type CatalogModel, type CatalogNode, type CatalogRoute, routesOf } from "@/lib/router/catalog";
import { type Candidate, orderNodes, type Skipped } from "@/lib/router/order";
import { conversationKey } from "@/lib/router/sticky-nodes";
import type { GatewayRequest } from "./gateway-request";
import type { Operation } from "./operation";
import { billableOutput } from "./output-cap";
import { openFor, sealFor } from "./reasoning-vault";
import type { Gateway } from "./runtime";
import type { TranslatorOptions } from "./translator";

/** Of what a caller has left, the part that a limit chosen for it may hold. Source: docs/contract.md#b8. */
const QUARTER = 4n;

/** What is asked of which node: the nodes in order, and those that are not asked. */
export interface GenerationPlan {
  readonly model: CatalogModel;
  /** The validated body, for a count of its tokens where the upstream tells none. */
  readonly body: JsonObject;
  /** Prompt tokens by the byte formula. */
  readonly inputEstimate: number;
  readonly planned: readonly PlannedAttempt[];
  readonly skipped: readonly Skipped[];
  readonly conversation: string | null;
}

/** What a plan is made from. */
export interface PlanInput {
  operation: Operation;
  gateway: Gateway;
  call: GatewayRequest;
  key: GatewayKey;
  model: CatalogModel;
  /** Validated. */
  body: JsonObject;
  /** What `body` was read from; null when it is not to be sent on. */
  text: string | null;
  version: string;
  compatibility: Compatibility;
  /** Prompt tokens by the byte formula. */
  inputEstimate: number;
  /** The node that has served what the request goes on from; null: unknown. */
  servedBy?: string | null;
}

/**
 * Orders the nodes of a model and prepares the request for each. A node whose protocol cannot express the
 * request is left out; when no node can, the first reason is thrown. Throws: INVALID_REQUEST.
 */
export function planAttempts(input: PlanInput): GenerationPlan {
  const { catalog, health, sticky, random } = input.gateway;
  const routes = routesOf(catalog.current, input.model);
  // With one node there is nothing to prefer.
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
      planned.push(new PlannedAttempt(input, candidate, prepare(input, candidate.route, candidate.node)));
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      refusals.push(error);
    }
  }
  if (planned.length === 0) checkExpressible(input, order.skipped, refusals);
  // Nodes that give all the choices are asked first. Source: docs/contract.md#b4.
  if (planned.length > 1) planned.sort((a, b) => b.prepared.choices - a.prepared.choices);
  const { model, body, inputEstimate } = input;
  return { model, body, inputEstimate, planned, skipped: order.skipped, conversation };
}

/** How a node is asked. Throws: INVALID_REQUEST when its protocol does not have the operation. */
function adapterOf({ nodes }: Operation, { protocol }: CatalogNode): NodeAdapter {
  const adapter = nodes[protocol];
  if (adapter !== null) return adapter;
  throw invalid("model", `The nodes of this model speak ${protocol}, which has no embeddings.`);
}

function openingOf({ operation, call, body }: PlanInput): string {
  return operation.clients[call.protocol].conversation(body, call.headers["session-id"]);
}

/** A refusal that another setting would not make says more than one that every setting makes. */
function mostHelpful(refusals: GatewayError[]): GatewayError | undefined {
  return refusals.find(({ details }) => details.alternative !== undefined) ?? refusals[0];
}

/** What the answer may have at most, of whichever node. Units: tokens, at most 100,000,000. */
export function maxOutputTokens({ planned }: GenerationPlan): number {
  let most = 0;
  for (const { prepared } of planned) most = Math.max(most, prepared.maxTokens);
  return Math.min(MAX_TOKENS, most);
}

/**
 * What the limit of tokens per minute reserves for the answer: a limit the client did not ask for must not use up a minute.
 * The settlement puts the real count in its place. Units: tokens. Source: docs/contract.md#b8.
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
 * A request that no node could take, not even one that is out for a while, is the caller's error.
 * Throws: INVALID_REQUEST.
 */
function checkExpressible(input: PlanInput, skipped: readonly Skipped[], refusals: GatewayError[]): void {
  const out = skipped.filter(({ why }) => why !== "disabled");
  for (const { route, node } of out.length === 0 && refusals.length === 0 ? skipped : out) {
    try {
      prepare(input, route, node);
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
  readonly prepared: Rendered;
  readonly #input: PlanInput;

  constructor(input: PlanInput, candidate: Candidate, prepared: Rendered) {
    this.#input = input;
    this.candidate = candidate;
    this.prepared = prepared;
  }

  /** How the node is asked and read. */
  get upstream(): NodeAdapter {
    return adapterOf(this.#input.operation, this.candidate.node);
  }

  /** The prepared body as JSON: where only the model changes, the client's own bytes with the node's name for it. */
  bodyText(): string {
    const { operation, call, text, body: received } = this.#input;
    const { body } = this.prepared;
    const passes = directOf(operation.clients[call.protocol], this.upstream) !== undefined;
    const asItCame = text !== null && passes && hasSameFields(body, received);
    const forwarded = asItCame ? withModelName(text, received.model, String(body.model)) : null;
    return forwarded ?? printJson(body);
  }

  /** The same attempt for a node that refused reasoning which others have sealed; null: there is none in it. */
  withoutReasoning(): PlannedAttempt | null {
    const body = this.upstream.withoutReasoning?.(this.prepared.body) ?? null;
    if (body === null) return null;
    const losses = [...new Set(this.prepared.losses).add("dropped:reasoning")];
    return new PlannedAttempt(this.#input, this.candidate, { ...this.prepared, body, losses });
  }

  /** What decides how this node's answer is translated. */
  translatorOptions(): TranslatorOptions {
    return translatorOptions(this.#input, this.candidate, this.prepared);
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

function prepare(input: PlanInput, route: CatalogRoute, node: CatalogNode): Rendered {
  const { operation, model, key } = input;
  const { provenanceKey, balances, secrets } = input.gateway;
  return prepareRequest(input.body, {
    client: operation.clients[input.call.protocol],
    upstream: adapterOf(operation, node),
    alias: model.alias,
    upstreamModel: route.upstreamModel,
    profile: profileOf(route, node, model),
    compatibility: input.compatibility,
    defaultMaxTokens: model.defaultMaxTokens,
    maxOutputTokens: model.maxOutputTokens,
    affordableOutput: affordableOutput(balances.remaining(key) / QUARTER, model.price),
    contextLeft: model.contextWindow === null ? MAX_TOKENS : model.contextWindow - input.inputEstimate,
    version: input.version,
    perCall: model.price.perCall,
    provenanceKey,
    openReasoning: (sealed) => openFor({ route, node }, sealed, secrets.reasoning),
    headers: input.call.headers,
  });
}

const profiles = new WeakMap<CatalogRoute, Profile>();

/** The profile of a route, kept as long as its snapshot lives. */
function profileOf(route: CatalogRoute, node: CatalogNode, model: CatalogModel): Profile {
  const known = profiles.get(route);
  if (known) return known;
  const profile = profileFor(route.upstreamModel, node.protocol, model.profile, providerOf(node).facts);
  profiles.set(route, profile);
  return profile;
}

function translatorOptions(input: PlanInput, candidate: Candidate, prepared: Rendered): TranslatorOptions {
  const { operation, call, model, body, gateway } = input;
  const client = operation.clients[call.protocol];
  const upstream = adapterOf(operation, candidate.node);
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

/** Each choice may have as much as the context holds. */
function usageCeiling({ contextWindow }: CatalogModel, { choices }: Rendered): number | undefined {
  return contextWindow === null ? undefined : Math.min(MAX_TOKENS, 2 * contextWindow * choices);
}
