import type { CredentialOf } from "@/lib/shared/credentials/credential";
import { CredentialError } from "./credential-error";
import type { Exchange, ExchangeContext } from "./exchange";
import { bearerOf } from "./oauth";
import type { TokenAnswer } from "./send";
import { sendChecked } from "./send-checked";

const BASE = "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts";
/** The service answers at once or is not there. */
const TIMEOUT_MS = 1_000;

/** A token of the machine's or pod's own service account. Source: docs/clouds.md#kinds. */
export function gcpMetadataExchange({ serviceAccount }: CredentialOf<"gcp_metadata">): Exchange {
  return async (context) => {
    const answer = await get(context, `${BASE}/${serviceAccount}/token`);
    if (answer.status === 404) throw new CredentialError("service_account_missing");
    const obtained = bearerOf(answer, serviceAccount);
    if (serviceAccount !== "default") return obtained;
    const mail = await get(context, `${BASE}/default/email`).catch(() => null);
    const name = mail?.status === 200 ? mail.body.trim() : "";
    return /^[\w.-]+@[\w.-]+$/.test(name) ? { ...obtained, principal: name } : obtained;
  };
}

/** Rejects: CredentialError also when somebody else than the metadata server answers. */
async function get(context: ExchangeContext, url: string): Promise<TokenAnswer> {
  const headers = { "metadata-flavor": "Google" };
  const answer = await sendChecked(context, { method: "GET", url, headers, timeoutMs: TIMEOUT_MS });
  if (answer.headers["metadata-flavor"] !== "Google") throw new CredentialError("not_a_metadata_server");
  return answer;
}
