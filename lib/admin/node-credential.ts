import { askedCredential, type CredentialFields } from "@/lib/config/asked-credential";
import type { Session } from "@/lib/db/database";
import { badField } from "@/lib/kernel/errors";
import type { Credential } from "@/lib/shared/credentials/credential";
import type { Machine } from "@/lib/upstream/credentials/exchange";
import { credentialProblem } from "@/lib/upstream/credentials/save-check";
import { levelOf, refuseOlderProcesses } from "./older-processes";

/** What the check of a credential depends on. */
export interface CredentialRules {
  /** A setting allows what the gateway's own machine lends. */
  allowAmbient: boolean;
  machine: Machine;
}

/**
 * The credential that the fields of a node ask for, checked on this machine; undefined: they do not say, null: none.
 * Throws: INVALID_REQUEST, naming the field. Source: docs/clouds.md#kinds, #ambient.
 */
export async function checkedCredential(
  fields: CredentialFields,
  { machine, allowAmbient }: CredentialRules,
): Promise<Credential | null | undefined> {
  if (fields.apiKey && fields.credential) throw badField("credential", "cannot be given beside apiKey");
  const asked = askedCredential(fields);
  if (!asked || asked.kind === "key") return asked;
  const problem = await credentialProblem(asked, machine, allowAmbient);
  if (problem === "ambient_disabled")
    throw badField(
      "credential.kind",
      "takes what this machine lends; set CLOUD_CREDENTIALS_AMBIENT=1 to allow that",
    );
  if (problem !== null) throw badField("credential", `cannot be used on this machine: ${problem}`);
  return asked;
}

/** Throws: CONFLICT for a kind that a live process of an older version does not know. Source: docs/clouds.md#stored. */
export async function refuseUnknownKind(
  db: Session,
  credential: Credential | null | undefined,
): Promise<void> {
  if (!credential || credential.kind === "key") return;
  await refuseOlderProcesses(db, levelOf.credentialKinds, "could not call this node");
}
