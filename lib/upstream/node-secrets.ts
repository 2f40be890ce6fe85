import { domainToUnicode } from "node:url";
import { LiteralSecrets, type SecretTexts } from "@/lib/protocols/failures/literal-secrets";
import { queryNames } from "@/lib/protocols/profiles/provider";
import type { CallableNode } from "./call-node";

/** As much of a node as its secrets are in. */
export type SecretNode = Pick<CallableNode, "apiKey" | "headers" | "baseUrl" | "proxy">;

const LEAST_HEADER_VALUE = 6;
const LEAST_PART = 8;
const LEAST_PASSWORD = 4;
const LEAST_PATH_SEGMENT = 16;

const known = new WeakMap<SecretNode, LiteralSecrets>();

/**
 * What no text may show of a node: credential, custom header values, the hosts of its base URL and proxies, and what
 * else is secret in those. Made at the first text of a node, kept as long as its configuration lives.
 * `outboundProxy`: of the whole gateway. Source: docs/contract.md#b2.
 */
export function nodeSecrets(node: SecretNode, outboundProxy: string | null): LiteralSecrets {
  const found = known.get(node);
  if (found) return found;
  const made = new LiteralSecrets(secretTexts(node, outboundProxy));
  known.set(node, made);
  return made;
}

function secretTexts(node: SecretNode, outboundProxy: string | null): SecretTexts {
  const base = new URL(node.baseUrl);
  const proxies = [node.proxy, outboundProxy].flatMap((proxy) => (proxy === null ? [] : [new URL(proxy)]));
  const headerValues = Object.values(node.headers).map((value) => value.trim());
  return {
    credentials: [
      ...(node.apiKey === null ? [] : partsOf(node.apiKey)),
      ...[base, ...proxies].flatMap(userInfoOf),
      ...secretsOfUrl(base),
    ],
    headerValues: headerValues.filter((value) => value.length >= LEAST_HEADER_VALUE).flatMap(partsOf),
    hosts: [base, ...proxies].flatMap(({ hostname }) => namesOf(hostname)),
  };
}

/** A value, and what is secret inside it: the token after its scheme, the values of its fields. */
function partsOf(value: string): string[] {
  const token = /^(?:bearer|basic|token|key|api-?key)[ :=]+(\S.*)$/i.exec(value)?.[1];
  const fields = [...value.matchAll(/[\w-]+=("?)([^";,&\s]+)\1/g)].map((field) => field[2] ?? "");
  const inner = [
    ...(token === undefined ? [] : [token]),
    ...fields.filter((text) => text.length >= LEAST_PART),
  ];
  const basic = /^basic /i.test(value) && token !== undefined ? basicParts(token) : [];
  return [value, ...inner, ...basic];
}

function basicParts(token: string): string[] {
  const pair = Buffer.from(token, "base64").toString();
  const password = pair.slice(pair.indexOf(":") + 1);
  return [pair, ...(password.length >= LEAST_PASSWORD ? [password] : [])];
}

function userInfoOf({ username, password }: URL): string[] {
  if (username === "" && password === "") return [];
  const plain = decoded(password);
  return [`${decoded(username)}:${plain}`, ...(plain.length >= LEAST_PASSWORD ? [plain] : [])];
}

/** Some vendors want a key or an account's id in the address. */
function secretsOfUrl(url: URL): string[] {
  const segments = url.pathname
    .split("/")
    .filter((part) => part.length >= LEAST_PATH_SEGMENT && /\d/.test(part));
  const values = [...url.searchParams]
    .filter(([name, value]) => !queryNames.has(name) && value.length >= LEAST_HEADER_VALUE)
    .map(([, value]) => value);
  return [...segments.map(decoded), ...values];
}

function namesOf(hostname: string): string[] {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const readable = domainToUnicode(host);
  return readable === "" || readable === host ? [host] : [host, readable];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
