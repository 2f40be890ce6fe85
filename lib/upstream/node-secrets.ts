import { domainToUnicode } from "node:url";
import { LiteralSecrets, type SecretTexts } from "@/lib/protocols/failures/literal-secrets";
import { queryNames } from "@/lib/protocols/profiles/provider";
import { principalOf } from "@/lib/shared/credentials/principal";
import { secretsOf } from "@/lib/shared/credentials/secret-fields";
import type { CallableNode } from "./call-node";
import type { CloudAccess } from "./credentials/cloud-access";
import type { Access } from "./credentials/exchange";

/** The parts of a node that contain secrets. */
export type SecretNode = Pick<CallableNode, "apiKey" | "access" | "headers" | "baseUrl" | "proxy">;

const MIN_HEADER_VALUE = 6;
const MIN_PART = 8;
const MIN_PASSWORD = 4;
const MIN_PATH_SEGMENT = 16;

/** The texts of a node, and the tokens that they were computed with. */
interface Known {
  secrets: LiteralSecrets;
  tokens: readonly Access[];
}

const known = new WeakMap<SecretNode, Known>();
const noTokens: readonly Access[] = [];

/**
 * The texts of a node that must never be shown: credential, tokens got with it, custom header values, the hosts of its
 * base URL and proxies, and secrets inside these. Computed at the first use and for each new token, cached as long as
 * the node's configuration lives. `outboundProxies`: those of the whole gateway. Source: docs/contract.md#b2.
 */
export function nodeSecrets(node: SecretNode, outboundProxies: readonly string[]): LiteralSecrets {
  const tokens = node.access?.source.recent ?? noTokens;
  const found = known.get(node);
  if (found?.tokens === tokens) return found.secrets;
  const secrets = new LiteralSecrets(secretTexts(node, outboundProxies));
  known.set(node, { secrets, tokens });
  return secrets;
}

function secretTexts(node: SecretNode, outboundProxies: readonly string[]): SecretTexts {
  const base = new URL(node.baseUrl);
  const proxies = [node.proxy, ...outboundProxies].flatMap((proxy) =>
    proxy === null ? [] : [new URL(proxy)],
  );
  const headerValues = Object.values(node.headers).map((value) => value.trim());
  return {
    credentials: [
      ...(node.apiKey === null ? [] : partsOf(node.apiKey)),
      ...(node.access === null ? [] : cloudTexts(node.access)),
      ...[base, ...proxies].flatMap(userInfoOf),
      ...secretsOfUrl(base),
    ],
    headerValues: headerValues.filter((value) => value.length >= MIN_HEADER_VALUE).flatMap(partsOf),
    hosts: [base, ...proxies].flatMap(({ hostname }) => namesOf(hostname)),
  };
}

/** The secrets of a credential and of what was got with it, and who it is. */
function cloudTexts({ credential, source }: CloudAccess): string[] {
  const principal = principalOf(credential);
  return [
    ...secretsOf(credential),
    ...source.recent.flatMap(textsOf),
    ...(principal !== null && principal.length >= MIN_PATH_SEGMENT ? [principal] : []),
  ];
}

function textsOf(access: Access): string[] {
  if (access.type === "bearer") return [access.token];
  if (access.type === "key") return [access.key];
  const { accessKeyId, secretAccessKey, sessionToken } = access.keys;
  return [accessKeyId, secretAccessKey, ...(sessionToken === null ? [] : [sessionToken])];
}

/** A value and the secrets inside it: the token after its scheme, the values of its fields. */
function partsOf(value: string): string[] {
  const token = /^(?:bearer|basic|token|key|api-?key)[ :=]+(\S.*)$/i.exec(value)?.[1];
  const fields = [...value.matchAll(/[\w-]+=("?)([^";,&\s]+)\1/g)].map((field) => field[2] ?? "");
  const inner = [
    ...(token === undefined ? [] : [token]),
    ...fields.filter((text) => text.length >= MIN_PART),
  ];
  const basic = /^basic /i.test(value) && token !== undefined ? basicParts(token) : [];
  return [value, ...inner, ...basic];
}

function basicParts(token: string): string[] {
  const pair = Buffer.from(token, "base64").toString();
  const password = pair.slice(pair.indexOf(":") + 1);
  return [pair, ...(password.length >= MIN_PASSWORD ? [password] : [])];
}

function userInfoOf({ username, password }: URL): string[] {
  if (username === "" && password === "") return [];
  const plain = decoded(password);
  return [`${decoded(username)}:${plain}`, ...(plain.length >= MIN_PASSWORD ? [plain] : [])];
}

/** Secrets in a URL: some vendors require a key or an account id there. */
function secretsOfUrl(url: URL): string[] {
  const segments = url.pathname
    .split("/")
    .filter((part) => part.length >= MIN_PATH_SEGMENT && /\d/.test(part));
  const values = [...url.searchParams]
    .filter(([name, value]) => !queryNames.has(name) && value.length >= MIN_HEADER_VALUE)
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
