import { type CallInput, noOptions } from "@/lib/protocols/kit/call-input";
import type { MessageImage } from "@/lib/protocols/kit/turn";

/** A call of which nothing is set that may be left out. */
export const plainCall: CallInput = {
  protocol: "chat",
  model: "m",
  system: "",
  maxTokens: 5,
  temperature: 1,
  stop: [],
  ...noOptions,
  stream: true,
  json: false,
  schema: null,
  tools: [],
  turns: [],
};

/** The data of the images. */
export const DATA = "iVBORw0KGgo=";

/** An image of a message; without a URL its data is gone. */
export function image(name: string, url: string | null = `data:image/png;base64,${DATA}`): MessageImage {
  return { id: name, name, mediaType: "image/png", url };
}
