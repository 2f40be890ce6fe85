import type { Credential } from "@/lib/shared/credentials/credential";
import type { CallableNode } from "./call-node";
import type { TokenSources } from "./credentials/token-sources";

/** What a node is called with: a key, access to a cloud, or nothing. */
export function callableCredential(
  sources: Pick<TokenSources, "accessTo">,
  credential: Credential | null,
  baseUrl: string,
): Pick<CallableNode, "apiKey" | "access"> {
  if (credential === null) return { apiKey: null, access: null };
  if (credential.kind === "key") return { apiKey: credential.key, access: null };
  return { apiKey: null, access: sources.accessTo(credential, baseUrl) };
}
