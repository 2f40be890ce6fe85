import { GatewayError, invalid } from "@/lib/kernel/errors";
import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { takeMembers } from "@/lib/kernel/take-members";

/** A request for one response. */
export interface TurnRequest {
  /** The JSON body that POST would have. */
  body: Buffer;
  /** Null: the lane without a name. */
  lane: string | null;
  /** The response that it goes on from, if it names one. */
  previousId: string | null;
  /** The session in the client's metadata, if there is one. */
  session: string | null;
  /** The client only prepares later turns: nothing is generated. */
  prepares: boolean;
}

/** A message of a client. */
export type ClientMessage =
  | { kind: "create"; request: TurnRequest }
  | { kind: "steer"; previousId: string; input: unknown }
  | { kind: "ignored" }
  | { kind: "refused"; lane: string | null; error: GatewayError };

const taken: ReadonlySet<string> = new Set(["type", "stream", "stream_id", "generate"]);
const read: ReadonlySet<string> = new Set(["previous_response_id", "client_metadata", "input"]);

/** Longer values of the short members are no valid ones. Units: bytes of JSON. */
const LONGEST_SHORT = 1_024;
const LONGEST_METADATA = 64 * 1_024;

const LANE = /^[\x20-\x7e]{1,64}$/;

/**
 * Reads a message. What only the socket needs is taken out of a request; the rest stays as it came, for the checks that
 * POST makes. Source: docs/websocket.md#messages.
 */
export function readClientMessage(json: Buffer): ClientMessage {
  const members = takeMembers(json, { taken, read });
  if (members === null) return refused(null, invalid("body", "A message must be one JSON object."));
  const { values, rest } = members;
  const lane = shortValue(values.get("stream_id")) ?? null;
  if (lane !== null && (typeof lane !== "string" || !LANE.test(lane)))
    return refused(null, invalid("stream_id", "stream_id must be 1 to 64 printable ASCII characters."));
  const type = shortValue(values.get("type"));
  if (type === "response.processed") return { kind: "ignored" };
  if (type === "response.steer") return steerOf(values);
  if (type !== "response.create") return refused(lane, unknownEvent(type));
  const generate = shortValue(values.get("generate")) ?? true;
  if (typeof generate !== "boolean")
    return refused(lane, invalid("generate", "generate must be true or false."));
  const previous = shortValue(values.get("previous_response_id"));
  return {
    kind: "create",
    request: {
      body: bodyOf(rest),
      lane,
      previousId: typeof previous === "string" ? previous : null,
      session: sessionOf(values.get("client_metadata")),
      prepares: !generate,
    },
  };
}

function steerOf(values: ReadonlyMap<string, Buffer>): ClientMessage {
  const input = values.get("input");
  const previous = shortValue(values.get("previous_response_id"));
  if (input !== undefined && input.length > LONGEST_METADATA)
    return refused(null, invalid("input", "Responses cannot be steered here; send response.create."));
  return {
    kind: "steer",
    previousId: typeof previous === "string" ? previous : "",
    input: input === undefined ? [] : (parsedValue(input) ?? []),
  };
}

function refused(lane: string | null, error: GatewayError): ClientMessage {
  return { kind: "refused", lane, error };
}

function unknownEvent(type: unknown): GatewayError {
  const shown = typeof type === "string" ? `\`${type.slice(0, 100)}\` is` : "A message without a type is";
  return new GatewayError(
    "INVALID_REQUEST",
    `${shown} not known here. Send response.create with the body of POST /v1/responses.`,
    { param: "type", vendorCode: "unknown_event" },
  );
}

const STREAM = Buffer.from('"stream":true}');

function bodyOf(rest: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = [Buffer.from("{")];
  for (const members of rest) pieces.push(members, Buffer.from(","));
  return Buffer.concat([...pieces, STREAM]);
}

/** The value of a member that is short in every valid message; undefined: absent, or no such value. */
function shortValue(json: Buffer | undefined): unknown {
  return json === undefined || json.length > LONGEST_SHORT ? undefined : parsedValue(json);
}

function parsedValue(json: Buffer): unknown {
  return parseJson(json.toString());
}

function sessionOf(json: Buffer | undefined): string | null {
  if (json === undefined || json.length > LONGEST_METADATA) return null;
  const metadata = parsedValue(json);
  const session = isObject(metadata) ? metadata.session_id : null;
  return typeof session === "string" && /^[\x20-\x7e]{1,256}$/.test(session) ? session : null;
}
