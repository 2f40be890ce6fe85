import { principalOf } from "@/lib/shared/credentials/principal";
import type { CallableNode } from "@/lib/upstream/call-node";
import { CredentialError } from "@/lib/upstream/credentials/credential-error";
import type { Exchange } from "./node-exchange";

/** How far a test came with the credential of a cloud, stage by stage. Source: docs/clouds.md#failures. */
export interface AccessReport {
  kind: string;
  /** Who the credential is. */
  principal: string | null;
  /** `ok`, or the code of what failed: how a token, or keys that sign, were had. */
  token: string;
  /** Whether the node accepted the token or the signature; null: it was not asked. */
  accepted: boolean | null;
}

/** Asks for access as the first call does, and tells how that went; null for a node without a credential of a cloud. */
export async function askToken({
  access,
}: Pick<CallableNode, "access">): Promise<Omit<AccessReport, "accepted"> | null> {
  if (access === null) return null;
  const { credential, source } = access;
  const { kind } = credential;
  try {
    const { principal } = await source.get();
    return { kind, principal: principal ?? principalOf(credential), token: "ok" };
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    return { kind, principal: principalOf(credential), token: error.code };
  }
}

/** The whole report: what the node said to the calls that were made after. */
export function accessReport(
  token: Omit<AccessReport, "accepted">,
  calls: readonly (Exchange | null)[],
): AccessReport {
  const problems = calls.flatMap((call) => (call === null || call.status === null ? [] : [call.problem]));
  const accepted = problems.includes(null);
  const refused = problems.includes("credential") || problems.includes("forbidden");
  return { ...token, accepted: accepted || (refused ? false : null) };
}
