import type { CredentialOf } from "@/lib/shared/credentials/credential";
import { awsContainerExchange } from "./aws-container";
import { awsImdsExchange } from "./aws-imds";
import { awsStaticExchange } from "./aws-static";
import { awsWebIdentityExchange } from "./aws-web-identity";
import { CredentialError } from "./credential-error";
import type { Exchange } from "./exchange";
import { assumeRole } from "./sts";

/** The keys of a role that the keys of the source may assume. Source: docs/clouds.md#kinds. */
export function awsRoleExchange(credential: CredentialOf<"aws_role">, region: string): Exchange {
  const { roleArn, sessionName, durationS, externalId } = credential;
  const sourceOf = sourceExchange(credential.source, region);
  const form: Record<string, string> = {
    RoleArn: roleArn,
    RoleSessionName: sessionName,
    DurationSeconds: String(durationS),
  };
  if (externalId !== undefined) form.ExternalId = externalId;
  return async (context) => {
    const { access } = await sourceOf(context);
    if (access.type !== "aws") throw new CredentialError("bad_answer");
    return assumeRole(context, { region, action: "AssumeRole", form, keys: access.keys });
  };
}

function sourceExchange(source: CredentialOf<"aws_role">["source"], region: string): Exchange {
  switch (source.kind) {
    case "aws_static":
      return awsStaticExchange(source);
    case "aws_web_identity":
      return awsWebIdentityExchange(source, source.region ?? region);
    case "aws_container":
      return awsContainerExchange();
    case "aws_imds":
      return awsImdsExchange();
  }
}
