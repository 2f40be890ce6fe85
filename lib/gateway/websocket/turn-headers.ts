/** Headers of a handshake that are not those of its turns. */
const ofHandshake =
  /^(?:connection|upgrade|sec-websocket-.*|content-.*|transfer-encoding|te|expect|authorization|x-api-key|api-key|http2-settings)$/;

const SOCKET_BETA = /^responses_websockets=/;

/** The headers of the turns of a socket: those of its handshake without its credential and what belongs to it alone. */
export function turnHeaders(
  handshake: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = { "content-type": "application/json" };
  for (const [name, value] of Object.entries(handshake))
    if (typeof value === "string" && !ofHandshake.test(name)) headers[name] = value;
  const betas = headers["openai-beta"]?.split(",").filter((beta) => !SOCKET_BETA.test(beta.trim())) ?? [];
  if (betas.length > 0) headers["openai-beta"] = betas.join(",");
  else delete headers["openai-beta"];
  return headers;
}
