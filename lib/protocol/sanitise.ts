/** What must not be seen in a message for a client, and what stands there instead. */
const secrets: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:https?|wss?):\/\/[^\s"'<>)\]]+/gi, "[url]"],
  [/\b(?:bearer|basic)\s+[\w.~+/-]+=*/gi, "[key]"],
  [/\b(?:sk|pk|rk|gsk|xai|tgw|hf)[-_][\w*.-]{4,}/g, "[key]"],
  [/\bkey[-_](?=[\w*-]*[\d*])[\w*-]{6,}/g, "[key]"],
  [/\bAIza[\w-]{20,}/g, "[key]"],
  [
    /\b(?:org|organization|proj|project|acct|wrkspc|req|request)[-_](?=[A-Za-z]*\d)[A-Za-z0-9]{8,}\b/g,
    "[id]",
  ],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "[id]"],
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g, "[host]"],
  [
    /\b(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|io|ai|dev|cloud|internal|local|lan|cn)\b(?::\d+)?(?:\/[^\s"']*)?/gi,
    "[host]",
  ],
  [/\blocalhost(?::\d+)?\b/gi, "[host]"],
];

const MAX_BYTES = 2048;
const MAX_READ_CHARACTERS = 16 * 1024;

/**
 * An upstream's message as a client may see it: without keys, addresses, hosts and account ids, with the alias in
 * place of the upstream's model id, in at most 2 KiB. Source: protocol 13.3.
 */
export function sanitise(message: string, names: { alias: string; upstreamModel: string }): string {
  let text = message.slice(0, MAX_READ_CHARACTERS);
  if (names.upstreamModel !== "" && names.upstreamModel !== names.alias) {
    text = text.split(names.upstreamModel).join(names.alias);
  }
  for (const [pattern, instead] of secrets) text = text.replace(pattern, instead);
  return cut(text);
}

function cut(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= MAX_BYTES) return text;
  const kept = new TextDecoder().decode(bytes.subarray(0, MAX_BYTES - 3));
  return `${kept.replace(/\uFFFD+$/, "")}…`;
}
