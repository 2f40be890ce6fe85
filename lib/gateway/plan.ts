import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { affordableOutput, MAX_TOKENS } from "@/lib/billing/price";
import { runtime } from "@/lib/gateway/runtime";
import { type GatewayError, isGatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json";
import type { ReasoningSeal } from "@/lib/protocols/adapter";
import { prepareRequest } from "@/lib/protocols/conversion";
import type { Compatibility } from "@/lib/protocols/generation/problems";
import { signReasoning, tagOpaque } from "@/lib/protocols/passes/reasoning-seal";
import { USUAL_OUTPUT } from "@/lib/protocols/passes/rendering";
import { profileFor } from "@/lib/protocols/profiles/families";
import type { Profile } from "@/lib/protocols/profiles/profile";
import { providerOf } from "@/lib/protocols/profiles/provider";
import { protocols } from "@/lib/protocols/registry";
import type { Rendered } from "@/lib/protocols/request-adapter";
import { withModelName } from "@/lib/protocols/sse/sse-decoder";
import { type CatalogModel, type CatalogNode, type CatalogRoute, routesOf } from "@/lib/router/catalog";
import { type Candidate, conversationKey, orderNodes, type Skipped } from "@/lib/router/order";
import type { GatewayRequest } from "./gateway-request";
import type { GenerationContext } from "./generation-context";
import { billableOutput, meterAnswer } from "./metering";
import type { TranslatorOptions } from "./translator";

/** Of what a caller has left, the part that a limit chosen for it may hold. Source: docs/contract.md#b8. */
const QUARTER = 4n;

/** One node to ask, with the exact request it would get. */
export interface PlannedAttempt {
  candidate: Candidate;
  prepared: Rendered;
  /** The prepared body as JSON. */
  bodyText(): string;
  translatorOptions(run: GenerationContext): TranslatorOptions;
}

/** The nodes to ask in order, and those that are not asked. */
export interface AttemptPlan {
  planned: PlannedAttempt[];
  skipped: Skipped[];
  conversation: string | null;
}

/** What a plan is made from. */
export interface PlanInput {
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
}

/**
 * Orders the nodes of a model and prepares the request for each. A node whose protocol cannot express the
 * request is left out; when no node can, the first reason is thrown. Throws: INVALID_REQUEST.
 */
export function planAttempts(input: PlanInput): AttemptPlan {
  const { catalog, health, sticky, random } = runtime();
  const routes = routesOf(catalog.current, input.model);
  // With one node there is nothing to prefer.
  const conversation =
    routes.length > 1 ? conversationKey(input.key.keyId, input.model.alias, openingOf(input)) : null;
  const order = orderNodes({
    routes,
    availability: (target) => health.availability(target),
    random,
    preferredNodeId: sticky.get(conversation),
  });
  const planned: PlannedAttempt[] = [];
  const refusals: GatewayError[] = [];
  for (const candidate of order.candidates) {
    try {
      planned.push(planOne(input, candidate));
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      refusals.push(error);
    }
  }
  if (planned.length === 0) checkExpressible(input, order.skipped, refusals);
  // Nodes that give all the choices are asked first. Source: docs/contract.md#b4.
  planned.sort((a, b) => b.prepared.choices - a.prepared.choices);
  return { planned, skipped: order.skipped, conversation };
}

function openingOf({ call, body }: PlanInput): string {
  return protocols[call.protocol].conversation(body);
}

/** A refusal that another setting would not make says more than one that every setting makes. */
function mostHelpful(refusals: GatewayError[]): GatewayError | undefined {
  return refusals.find(({ details }) => details.alternative !== undefined) ?? refusals[0];
}

/** What the answer may have at most, of whichever node. Units: tokens, at most 100,000,000. */
export function maxOutputTokens({ planned }: AttemptPlan): number {
  return Math.min(MAX_TOKENS, Math.max(0, ...planned.map(({ prepared }) => prepared.maxTokens)));
}

/**
 * What the limit of tokens per minute reserves for the answer: a limit the client did not ask for must not use up a minute.
 * The settlement puts the real count in its place. Units: tokens. Source: docs/contract.md#b8.
 */
export function reservedOutputTokens({ planned }: AttemptPlan): number {
  const reserved = planned.map(({ prepared }) =>
    prepared.limitChosen ? Math.min(USUAL_OUTPUT * prepared.choices, prepared.maxTokens) : prepared.maxTokens,
  );
  return Math.min(MAX_TOKENS, Math.max(0, ...reserved));
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

function planOne(input: PlanInput, candidate: Candidate): PlannedAttempt {
  const prepared = prepare(input, candidate.route, candidate.node);
  return {
    candidate,
    prepared,
    bodyText: () => bodyText(input, candidate, prepared),
    translatorOptions: (run) => translatorOptions(input, candidate, prepared, run),
  };
}

/** Where only the model changes, the client's own bytes with the node's name for it. */
function bodyText(input: PlanInput, { node }: Candidate, { body }: Rendered): string {
  const { call, text } = input;
  const asItCame = text !== null && node.protocol === call.protocol && hasSameFields(body, input.body);
  const forwarded = asItCame ? withModelName(text, input.body.model, String(body.model)) : null;
  return forwarded ?? JSON.stringify(body);
}

function hasSameFields(sent: JsonObject, came: JsonObject): boolean {
  const names = Object.keys(sent);
  if (names.length !== Object.keys(came).length) return false;
  return names.every((name) => name === "model" || sent[name] === came[name]);
}

function prepare(input: PlanInput, route: CatalogRoute, node: CatalogNode): Rendered {
  const { provenanceKey, balances } = runtime();
  const { model, key } = input;
  return prepareRequest(input.body, {
    client: protocols[input.call.protocol],
    upstream: protocols[node.protocol],
    alias: model.alias,
    upstreamModel: route.upstreamModel,
    profile: profileOf(route, node, model),
    compatibility: input.compatibility,
    defaultMaxTokens: model.defaultMaxTokens,
    maxOutputTokens: model.maxOutputTokens,
    affordableOutput: affordableOutput(balances.remaining(key) / QUARTER, model.price),
    contextLeft: model.contextWindow === null ? MAX_TOKENS : model.contextWindow - input.inputEstimate,
    version: input.version,
    provenanceKey,
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

function translatorOptions(
  input: PlanInput,
  candidate: Candidate,
  prepared: Rendered,
  run: GenerationContext,
): TranslatorOptions {
  const { call, model, body } = input;
  const client = protocols[call.protocol];
  const upstream = protocols[candidate.node.protocol];
  // One literal: spreading other objects into it takes ten times as long.
  return {
    client,
    upstream,
    request: body,
    stream: prepared.clientStream,
    choices: prepared.choices,
    hideReasoning: prepared.hideReasoning,
    singleToolCall: prepared.singleToolCall,
    toolNames: prepared.toolNames,
    id: client.answerId(call.requestId),
    alias: typeof body.model === "string" ? body.model : model.alias,
    created: Math.floor(Date.now() / 1_000),
    inputEstimate: run.inputEstimate,
    estimateUsage: async (meter) => {
      const { usage, source } = await meterAnswer(run, meter);
      const told = source === "upstream" && !meter.odd && meter.implausibleOutput === null;
      return told ? undefined : usage;
    },
    usageCeiling: usageCeiling(model, prepared),
    outputCap: billableOutput(prepared.maxTokens),
    seal: client === upstream ? null : sealOf(model),
  };
}

function sealOf({ alias }: CatalogModel): ReasoningSeal {
  const { provenanceKey } = runtime();
  return {
    sign: (text) => signReasoning(text, alias, provenanceKey),
    tag: (opaque) => tagOpaque(opaque, alias, provenanceKey),
  };
}

/** Each choice may have as much as the context holds. */
function usageCeiling({ contextWindow }: CatalogModel, { choices }: Rendered): number | undefined {
  return contextWindow === null ? undefined : Math.min(MAX_TOKENS, 2 * contextWindow * choices);
}
