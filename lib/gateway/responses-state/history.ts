import { credentialOf } from "@/lib/gateway/authorize";
import type { AnswerKeeper, GenerationContext } from "@/lib/gateway/generation-context";
import type { RawRequest } from "@/lib/gateway/parse-request";
import type { Gateway } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { clientAdapters } from "@/lib/protocols/registry";
import { CallerSeal, openCompaction } from "./caller-seal";
import { RememberingKeeper } from "./remembering-keeper";
import { ResponseKeeper } from "./response-keeper";
import type { RememberedChain } from "./response-memory";
import { type BeforeLarge, type Chain, HistoryTooLarge, MAX_DEPTH, type StateOwner } from "./store";

/** A request whose references are resolved. */
export interface ResolvedRequest {
  /** The request with the whole conversation as its input. */
  request: RawRequest;
  /** The node that has served this conversation; null: unknown. */
  nodeId: string | null;
  /** Stores or remembers the answer; null: it is kept nowhere. */
  keeper: AnswerKeeper | null;
  /** How many items precede the client's own. */
  inherited: number;
}

/** An authenticated call. */
type StateContext = Pick<GenerationContext, "gateway" | "call" | "key">;

/** The API key of a call that is authenticated, as the seal of what is stored for it. */
export function ownerOf({ call, key }: Pick<StateContext, "call" | "key">): StateOwner {
  const seal = call.connection?.caller.seal ?? new CallerSeal(credentialOf(call) ?? "");
  return { keyId: key.keyId, userId: key.userId, seal };
}

/** The request id of a response id that this gateway makes; null for any other text. */
export function requestIdOf(responseId: string): string | null {
  const hex = /^resp_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(responseId);
  return hex === null ? null : hex.slice(1).join("-");
}

/** True when a request refers to stored responses, which must be read from the database. */
export function readsHistory({ responses }: Pick<Gateway, "responses">, body: JsonObject): boolean {
  if (!responses.enabled) return false;
  return typeof body.previous_response_id === "string" || itemsOf(body.input).some(isReference);
}

/**
 * Replaces references by their content: puts the items of `previous_response_id` before the request's own, and resolves
 * item references and compacted conversations. The validation reports what does not fit the schema. `beforeLarge`:
 * called before large content is read. Throws: INVALID_REQUEST (previous_response_not_found, unsupported_parameter),
 * PAYLOAD_TOO_LARGE, what `beforeLarge` throws. Source: docs/responses.md#s4-1, #s4-5.
 */
export async function resolveHistory(
  context: StateContext,
  raw: RawRequest,
  beforeLarge: BeforeLarge,
): Promise<ResolvedRequest> {
  const { responses } = context.gateway;
  refuseForeignState(raw.body);
  const owner = ownerOf(context);
  const { previous_response_id: previous, input, store } = raw.body;
  const remembered = typeof previous === "string" ? await recallChain(context, previous, beforeLarge) : null;
  const chain =
    remembered ??
    (typeof previous === "string" ? await readChain(context, owner, previous, beforeLarge) : null);
  const own = itemsOf(input);
  const { items, nodeId } = await resolveItems(context, owner, own, chain, beforeLarge);
  const stores = responses.enabled && !context.key.isConsoleKey;
  const keeps = stores && store !== false;
  const request = withInput(raw, chain, own === items ? null : items, stores);
  const stored = remembered === null || remembered.isStored ? chain : { ...remembered, depth: MAX_DEPTH };
  const keeper = keeps ? keeperOf(context, owner, raw.body, stored, items) : null;
  return {
    request,
    nodeId: chain?.nodeId ?? nodeId,
    keeper: rememberingKeeper(context, keeper, { previous, chain, remembered, items }),
    inherited: chain?.items.length ?? 0,
  };
}

/** The chain in the memory of the call's connection; null: it is not there. Throws: PAYLOAD_TOO_LARGE. */
async function recallChain(
  { call, gateway }: StateContext,
  previous: string,
  beforeLarge: BeforeLarge,
): Promise<RememberedChain | null> {
  const memory = call.connection?.memory;
  if (memory === undefined) return null;
  const { maxBodyBytes } = gateway.settings;
  return bounded(() => memory.recall(previous, maxBodyBytes, beforeLarge), maxBodyBytes);
}

/** A conversation as it is before the model answers. */
interface Conversation {
  previous: unknown;
  chain: Chain | null;
  /** The chain, if the connection remembers it. */
  remembered: RememberedChain | null;
  items: readonly JsonObject[];
}

/** The keeper that also remembers the answer on the call's connection; the same one for a call without memory. */
function rememberingKeeper(
  { call }: StateContext,
  stored: ResponseKeeper | null,
  { previous, chain, remembered, items }: Conversation,
): AnswerKeeper | null {
  const memory = call.connection?.memory;
  if (memory === undefined) return stored;
  const client = clientAdapters[call.protocol];
  return new RememberingKeeper(memory, stored, client.promptFields, {
    id: client.answerId(call.requestId),
    parentId: remembered !== null && typeof previous === "string" ? previous : null,
    depth: (chain?.depth ?? 0) + 1,
    input: remembered === null && chain !== null ? [...chain.items, ...items] : items,
  });
}

/**
 * Refuses references to state that a provider keeps for its own customer, which is not the caller. Throws:
 * INVALID_REQUEST.
 */
export function refuseForeignState(body: JsonObject): void {
  for (const param of ["background", "conversation", "prompt"]) {
    if (body[param] == null || body[param] === false) continue;
    const message = `Unsupported parameter: '${param}' is not supported here; remove it.`;
    throw new GatewayError("INVALID_REQUEST", message, { param, vendorCode: "unsupported_parameter" });
  }
}

function keeperOf(
  { call, gateway }: StateContext,
  owner: StateOwner,
  { previous_response_id: previous }: JsonObject,
  chain: Chain | null,
  items: readonly JsonObject[],
): ResponseKeeper {
  const { requestId, receivedAt: createdAt } = call;
  const place = { requestId, createdAt, previousId: typeof previous === "string" ? previous : null };
  const isFlat = chain === null || chain.depth >= MAX_DEPTH;
  return new ResponseKeeper(gateway.responses, owner, clientAdapters[call.protocol].promptFields, {
    ...place,
    parentId: isFlat ? null : requestIdOf(place.previousId ?? ""),
    depth: isFlat ? 1 : chain.depth + 1,
    input: isFlat && chain !== null ? [...chain.items, ...items] : items,
  });
}

async function readChain(
  { gateway }: StateContext,
  owner: StateOwner,
  previous: string,
  beforeLarge: BeforeLarge,
): Promise<Chain> {
  const param = "previous_response_id";
  if (!gateway.responses.enabled) throw notStoredHere(param);
  const requestId = requestIdOf(previous);
  const read = async () =>
    requestId === null
      ? null
      : gateway.responses.chain(owner, requestId, gateway.settings.maxBodyBytes, beforeLarge);
  const chain = await bounded(read, gateway.settings.maxBodyBytes);
  if (chain === null) throw notFound(param, "previous response", previous);
  return chain;
}

/** Own items with the content of what they refer to; the same list when none refers to anything. */
async function resolveItems(
  { gateway }: StateContext,
  owner: StateOwner,
  own: readonly JsonObject[],
  chain: Chain | null,
  beforeLarge: BeforeLarge,
): Promise<{ items: readonly JsonObject[]; nodeId: string | null }> {
  const wanted = new Set<string>();
  for (const item of own) if (isReference(item)) wanted.add(item.id);
  const known = new Map<unknown, JsonObject>();
  if (wanted.size > 0) for (const item of chain?.items ?? []) known.set(item.id, item);
  const { maxBodyBytes } = gateway.settings;
  const missing = [...wanted].filter((id) => !known.has(id));
  const stored =
    missing.length > 0 && gateway.responses.enabled
      ? await bounded(
          () => gateway.responses.itemsById(owner, missing, maxBodyBytes, beforeLarge),
          maxBodyBytes,
        )
      : null;
  let changed = false;
  const items = own.map((item, index) => {
    const found = isReference(item)
      ? (known.get(item.id) ??
        stored?.items.get(item.id) ??
        refuseReference(gateway.responses.enabled, item.id, index))
      : openCompaction(item, owner.seal, `input[${index}].encrypted_content`);
    changed ||= found !== item;
    return found;
  });
  return { items: changed ? items : own, nodeId: stored?.nodeId ?? null };
}

function refuseReference(enabled: boolean, id: string, index: number): never {
  const param = `input[${index}].id`;
  throw enabled ? notFound(param, "item", id) : notStoredHere(param);
}

/** A reference has no content of its own; its type may be missing. */
function isReference(item: JsonObject): item is JsonObject & { id: string } {
  if (typeof item.id !== "string") return false;
  if (item.type === "item_reference") return true;
  return item.type == null && Object.keys(item).every((name) => name === "id" || name === "type");
}

/** Input as a list of items; none when the validation will refuse it. */
function itemsOf(input: unknown): readonly JsonObject[] {
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return Array.isArray(input) && input.every(isObject) ? input : [];
}

/**
 * `items` null: the input stays unchanged. When nothing is stored, the body gets `store: false`, so that the answer
 * says it.
 */
function withInput(
  raw: RawRequest,
  chain: Chain | null,
  items: readonly JsonObject[] | null,
  stores: boolean,
): RawRequest {
  const changes: JsonObject = {};
  if (!stores && raw.body.store !== false) changes.store = false;
  if (items !== null) changes.input = items;
  if (chain !== null) changes.input = [...chain.items, ...(items ?? listOf(raw.body.input))];
  return Object.keys(changes).length === 0
    ? raw
    : { ...raw, source: null, body: { ...raw.body, ...changes } };
}

/** As `itemsOf`, including entries that the validation will refuse. */
function listOf(input: unknown): readonly unknown[] {
  if (typeof input === "string") return itemsOf(input);
  return Array.isArray(input) ? input : input == null ? [] : [input];
}

async function bounded<T>(read: () => Promise<T>, maxBytes: number): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof HistoryTooLarge)) throw cause;
    const message = `The stored conversation is larger than a request may be (${maxBytes} bytes). Begin a new one, or compact it.`;
    throw new GatewayError("PAYLOAD_TOO_LARGE", message, { cause });
  }
}

function notFound(param: string, what: string, id: string): GatewayError {
  const name = id.length > 100 ? `${id.slice(0, 100)}…` : id;
  const message = `There is no ${what} \`${name}\` for this key: it was not stored, or it has expired.`;
  return new GatewayError("INVALID_REQUEST", message, { param, vendorCode: "previous_response_not_found" });
}

function notStoredHere(param: string): GatewayError {
  const message =
    "Responses are not stored here (RESPONSES_STORE_HOURS is 0). Send the whole conversation as `input`.";
  return new GatewayError("INVALID_REQUEST", message, { param, vendorCode: "previous_response_not_found" });
}
