import { isAmbient } from "@/lib/shared/credentials/ambient";
import type { Credential } from "@/lib/shared/credentials/credential";
import { readExternalAccount } from "@/lib/shared/credentials/external-account";
import { readServiceAccount } from "@/lib/shared/credentials/service-account";
import { containerEndpoint } from "./aws-container";
import { CredentialError } from "./credential-error";
import type { Machine } from "./exchange";
import { rsaKeyOf } from "./gcp-service-account";
import { readTokenFile } from "./token-file";

/**
 * What is wrong with a credential on this machine, beyond what its schema checks: a private key that cannot be read, a
 * token file or a variable that is missing, a kind without leave. Nobody is asked for a token.
 * Shape: a code as of `CredentialError`; null: nothing. Source: docs/clouds.md#kinds, #ambient.
 */
export async function credentialProblem(
  credential: Credential,
  machine: Machine,
  allowAmbient: boolean,
): Promise<string | null> {
  if (isAmbient(credential) && !allowAmbient) return "ambient_disabled";
  try {
    await check(credential.kind === "aws_role" ? credential.source : credential, machine);
    return null;
  } catch (error) {
    if (error instanceof CredentialError) return error.code;
    throw error;
  }
}

/** Throws: CredentialError. */
async function check(credential: Credential, machine: Machine): Promise<void> {
  switch (credential.kind) {
    case "aws_web_identity":
      await readTokenFile(machine, credential.tokenFile, "AWS_WEB_IDENTITY_TOKEN_FILE");
      return;
    case "azure_workload":
      await readTokenFile(machine, credential.tokenFile, "AZURE_FEDERATED_TOKEN_FILE");
      return;
    case "aws_container":
      containerEndpoint(machine);
      return;
    case "gcp_service_account":
      rsaKeyOf(readServiceAccount(credential.json).private_key);
      return;
    case "gcp_external": {
      const { file } = readExternalAccount(credential.json).credential_source;
      if (file !== undefined) await machine.readFile(file).catch(() => refuse("token_file_unreadable"));
      return;
    }
    case "key":
    case "aws_static":
    case "aws_role":
    case "aws_imds":
    case "gcp_metadata":
    case "azure_client":
    case "azure_managed":
  }
}

function refuse(code: string): never {
  throw new CredentialError(code);
}
