import type { CredentialOf } from "@/lib/shared/credentials/credential";
import type { Exchange } from "./exchange";
import { assumeRole } from "./sts";
import { readTokenFile } from "./token-file";

/** The keys of a role for whoever has the token in a file; the call is not signed. Source: docs/clouds.md#kinds. */
export function awsWebIdentityExchange(
  credential: CredentialOf<"aws_web_identity">,
  region: string,
): Exchange {
  const { roleArn, sessionName, durationS, tokenFile } = credential;
  return async (context) => {
    const form = {
      RoleArn: roleArn,
      RoleSessionName: sessionName,
      DurationSeconds: String(durationS),
      WebIdentityToken: await readTokenFile(context, tokenFile, "AWS_WEB_IDENTITY_TOKEN_FILE"),
    };
    return assumeRole(context, { region, action: "AssumeRoleWithWebIdentity", form, keys: null });
  };
}
