import type { CredentialOf } from "@/lib/shared/credentials/credential";
import type { Exchange } from "./exchange";

/** Keys that sign as they are. When those of a session end is not known: the vendor's refusal tells it. */
export function awsStaticExchange(credential: CredentialOf<"aws_static">): Exchange {
  const { accessKeyId, secretAccessKey, sessionToken = null } = credential;
  const keys = { accessKeyId, secretAccessKey, sessionToken };
  return async () => ({ access: { type: "aws", keys }, principal: accessKeyId, lifeMs: null });
}
