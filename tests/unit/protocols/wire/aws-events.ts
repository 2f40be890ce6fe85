import { EventStreamCodec } from "@smithy/eventstream-codec";

const toText = (bytes: Uint8Array | string) => Buffer.from(bytes as Uint8Array).toString();
const toBytes = (text: string) => new Uint8Array(Buffer.from(text));

/** Another implementation of the encoding. */
export const codec = new EventStreamCodec(toText, toBytes);

type Headers = Parameters<EventStreamCodec["encode"]>[0]["headers"];

/** A message with headers of text. */
export function encoded(headers: Record<string, string>, payload: string | Uint8Array): Uint8Array {
  const typed: Headers = {};
  for (const [name, value] of Object.entries(headers)) typed[name] = { type: "string", value };
  return codec.encode({ headers: typed, body: typeof payload === "string" ? toBytes(payload) : payload });
}

/** The message that wraps one event of a model. */
export function encodedChunk(event: object): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(event)).toString("base64");
  const headers = { ":event-type": "chunk", ":content-type": "application/json", ":message-type": "event" };
  return encoded(headers, JSON.stringify({ bytes, p: "abcdefgh" }));
}

/** The message of an exception. */
export function encodedException(type: string, body: object): Uint8Array {
  return encoded({ ":exception-type": type, ":message-type": "exception" }, JSON.stringify(body));
}
