import { membersOf, refusalOf } from "./answers";
import { jsonKeysOf } from "./aws-json-keys";
import { CredentialError } from "./credential-error";
import type { Exchange, ExchangeContext, Machine } from "./exchange";
import { isMachineHost } from "./machine-host";
import { sendChecked } from "./send-checked";
import { readTokenFile } from "./token-file";

const TASK_HOST = "http://169.254.170.2";
/** Hosts that are asked without TLS, besides loopback. */
const plainHosts = new Set(["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]);

const knownCodes: ReadonlySet<string> = new Set([
  "AccessDeniedException",
  "ClientException",
  "ExpiredTokenException",
  "InternalServerException",
  "InvalidParameterException",
  "InvalidRequestException",
  "InvalidTokenException",
  "ResourceNotFoundException",
  "ServerException",
  "ServiceUnavailableException",
  "ThrottlingException",
]);

/** The keys of the container's or pod's own role. Source: docs/clouds.md#kinds. */
export function awsContainerExchange(): Exchange {
  return async (context) => {
    const url = containerEndpoint(context);
    const token = await tokenOf(context);
    const headers: Record<string, string> = { accept: "application/json" };
    if (token !== null) headers.authorization = token;
    const answer = await sendChecked(context, { method: "GET", url, headers });
    const { code, RoleArn } = membersOf(answer);
    if (answer.status !== 200) throw refusalOf(answer, code, knownCodes);
    return jsonKeysOf(answer, context, typeof RoleArn === "string" ? RoleArn : "role of the container");
  };
}

/**
 * The address of the container's role. Throws: CredentialError when no variable tells one, or one that must not be asked.
 * Source: docs/clouds.md#ambient.
 */
export function containerEndpoint({ environment }: Machine): string {
  const relative = environment.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI;
  if (relative) {
    if (!relative.startsWith("/")) throw new CredentialError("address_refused");
    return TASK_HOST + relative;
  }
  const full = environment.AWS_CONTAINER_CREDENTIALS_FULL_URI;
  if (!full) throw new CredentialError("environment_missing");
  if (!URL.canParse(full)) throw new CredentialError("address_refused");
  const { protocol, hostname } = new URL(full);
  const isLoopback = isMachineHost(hostname) && /^(localhost|127\.|\[::1\])/.test(hostname);
  const isAllowed =
    protocol === "https:" || (protocol === "http:" && (isLoopback || plainHosts.has(hostname)));
  if (!isAllowed) throw new CredentialError("address_refused");
  return full;
}

async function tokenOf(context: ExchangeContext): Promise<string | null> {
  const { environment } = context;
  const file = environment.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE;
  if (file) return readTokenFile(context, file, "");
  const token = environment.AWS_CONTAINER_AUTHORIZATION_TOKEN;
  if (!token) return null;
  if (!/^[\x20-\x7e]+$/.test(token)) throw new CredentialError("environment_missing");
  return token;
}
