import { membersOf, refusalOf } from "./answers";
import { jsonKeysOf } from "./aws-json-keys";
import { CredentialError } from "./credential-error";
import type { Exchange, ExchangeContext } from "./exchange";
import { sendChecked } from "./send-checked";

const BASE = "http://169.254.169.254/latest";
const ROLES = `${BASE}/meta-data/iam/security-credentials/`;
const TOKEN_LIFE_S = "21600";
/** The service answers at once or is not there. */
const TIMEOUT_MS = 1_000;

const noCodes: ReadonlySet<string> = new Set();
const knownCodes: ReadonlySet<string> = new Set(["AssumeRoleUnauthorizedAccess", "Failed", "InternalError"]);

/** The keys of the machine's own role, by version 2 of its metadata service only. Source: docs/clouds.md#kinds. */
export function awsImdsExchange(): Exchange {
  return async (context) => {
    const opened = await sendChecked(context, {
      method: "PUT",
      url: `${BASE}/api/token`,
      headers: { "x-aws-ec2-metadata-token-ttl-seconds": TOKEN_LIFE_S },
      timeoutMs: TIMEOUT_MS,
    });
    const token = opened.body.trim();
    if (opened.status !== 200) throw refusalOf(opened, null, noCodes);
    if (!/^[\x21-\x7e]+$/.test(token)) throw new CredentialError("bad_answer");

    const roles = await get(context, ROLES, token);
    if (roles.status === 404) throw new CredentialError("machine_without_role");
    if (roles.status !== 200) throw refusalOf(roles, null, noCodes);
    const role = roles.body.trim().split(/\r?\n/)[0] ?? "";
    if (!/^[\w+=,.@-]{1,128}$/.test(role)) throw new CredentialError("bad_answer");

    const answer = await get(context, ROLES + encodeURIComponent(role), token);
    const { Code } = membersOf(answer);
    if (answer.status !== 200 || (Code !== undefined && Code !== "Success")) {
      throw refusalOf(answer, Code, knownCodes);
    }
    return jsonKeysOf(answer, context, role);
  };
}

function get(context: ExchangeContext, url: string, token: string) {
  const headers = { "x-aws-ec2-metadata-token": token };
  return sendChecked(context, { method: "GET", url, headers, timeoutMs: TIMEOUT_MS });
}
