import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { ClientAdapter } from "./adapters/client-adapter";
import { directOf } from "./adapters/direct-adapter";
import type { NodeAdapter } from "./adapters/node-adapter";
import type { Rendered, Target } from "./adapters/rendered";
import { fieldsAbout } from "./generation/concepts";
import { Losses } from "./generation/losses";
import { refusedHere } from "./generation/problems";
import type { GenerationRequest } from "./generation/request";
import { extraField, leaveOutExtras } from "./passes/extras";
import { withOffer } from "./passes/offered-calls";
import { clientNames, dropRefusedFields } from "./passes/refused-fields";
import { endedHere } from "./passes/rendering";

/** The context of a request for one node. */
export interface PrepareContext extends Target {
  /** The adapter of the caller's protocol. */
  client: ClientAdapter;
  /** The adapter of the node's protocol. */
  upstream: NodeAdapter;
}

/**
 * The exact request for one node. With the same protocol on both sides only what must change is changed; otherwise the
 * request is converted. Pure: the same body and context give the same bytes. `body` must have passed `validateRequest`.
 * Throws: INVALID_REQUEST for what this node cannot express. Source: docs/protocols.md#s4 to #s8.
 */
export function prepareRequest(body: JsonObject, context: PrepareContext): Rendered {
  const { upstream } = context;
  const rendered = writeRequest(body, context);
  return upstream.forHost === undefined ? rendered : upstream.forHost(rendered);
}

function writeRequest(body: JsonObject, context: PrepareContext): Rendered {
  const { client, upstream } = context;
  const direct = directOf(client, upstream);
  if (direct !== undefined) return withoutUnwanted(direct.patch(body, context), null, context);
  const request = client.parse(body, context);
  return withoutUnwanted(upstream.render(request, context), request, context);
}

/** Removes what the alias has no price for and what the node refuses; `request` null: it was not converted. */
function withoutUnwanted(
  written: Rendered,
  request: GenerationRequest | null,
  context: PrepareContext,
): Rendered {
  const rendered = withoutRefusedFields(withoutExtras(written, request, context), request, context);
  if (rendered.stops !== undefined) refuseManyStops(rendered.stops, context.client);
  return rendered;
}

/**
 * Removes fields that the node refuses; the gateway itself ends the answer at refused stop sequences.
 * Source: docs/protocols.md#s3-1, #s10-1.
 */
function withoutRefusedFields(
  rendered: Rendered,
  request: GenerationRequest | null,
  { upstream, profile }: PrepareContext,
): Rendered {
  if (profile.refusedFields.length === 0) return rendered;
  const losses = new Losses(rendered.losses);
  const stopFields = fieldsAbout(upstream.fields, "stop");
  const stops = stopsOf(rendered.body, stopFields);
  for (const field of dropRefusedFields(rendered.body, profile.refusedFields, upstream)) {
    if (stopFields.includes(field)) {
      Object.assign(rendered, endedHere([...(rendered.stops ?? []), ...stops]));
      continue;
    }
    const names = request === null ? [field] : clientNames(field, request, upstream);
    for (const name of names) losses.dropped(name);
  }
  return { ...rendered, losses: losses.list() };
}

/** The limit exists because each piece of an answer is compared with all stop sequences. */
const MAX_STOPS = 64;

const MAX_STOP_CHARACTERS = 256;

/**
 * Refuses too many or too long stop sequences. Throws: INVALID_REQUEST naming the client's field. Source:
 * docs/protocols.md#s10-1.
 */
function refuseManyStops(stops: readonly string[], { fields }: ClientAdapter): void {
  if (stops.length <= MAX_STOPS && stops.every(({ length }) => length <= MAX_STOP_CHARACTERS)) return;
  const [field = "stop"] = fieldsAbout(fields, "stop");
  throw invalid(
    field,
    `${field} must have at most ${MAX_STOPS} entries of at most ${MAX_STOP_CHARACTERS} characters for this model.`,
  );
}

/** The stop sequences of a body in the fields of these paths. */
function stopsOf(body: JsonObject, paths: readonly string[]): string[] {
  return paths.flatMap((path) => valueAt(body, path)).filter((sequence) => typeof sequence === "string");
}

function valueAt(body: JsonObject, path: string): unknown {
  return path.split(".").reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), body);
}

/**
 * The request without the fields that cost extra and have no price on the alias. Throws: INVALID_REQUEST under the strict
 * setting. Source: docs/protocols.md#s6-3.
 */
function withoutExtras(
  rendered: Rendered,
  request: GenerationRequest | null,
  context: PrepareContext,
): Rendered {
  const { upstream, compatibility } = context;
  const { lost, changed, priced } = leaveOutExtras(rendered.body, upstream.extras, context);
  if (lost.length + changed.length + priced.length === 0) return rendered;
  const losses = new Losses(rendered.losses);
  for (const field of lost) {
    const names = request === null ? [field] : clientNames(field, request, upstream);
    if (compatibility === "strict") throw refusedHere(extraField(names[0] ?? field), "it is left out");
    for (const name of names) losses.dropped(name);
  }
  for (const code of changed) losses.add(code);
  const offeredCalls = withOffer(rendered.offeredCalls, priced, context);
  return { ...rendered, losses: losses.list(), ...(offeredCalls && { offeredCalls }) };
}
