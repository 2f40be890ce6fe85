import type { AzureCloud } from "@/lib/shared/credentials/azure-clouds";

/** The two things that tokens for models can be for, in each cloud. Source: docs/clouds.md#kinds. */
export const entraScopes: Readonly<Record<AzureCloud, { openai: string; foundry: string }>> = {
  public: {
    openai: "https://cognitiveservices.azure.com/.default",
    foundry: "https://ai.azure.com/.default",
  },
  us_government: {
    openai: "https://cognitiveservices.azure.us/.default",
    foundry: "https://ai.azure.us/.default",
  },
  china: {
    openai: "https://cognitiveservices.azure.cn/.default",
    foundry: "https://ai.azure.cn/.default",
  },
};

/** What a token for a host must be for: what the credential says, or else what the kind of host asks for. */
export function entraScope(
  said: { scope?: string | undefined; cloud: AzureCloud },
  hostname: string,
): string {
  if (said.scope !== undefined) return said.scope;
  const { openai, foundry } = entraScopes[said.cloud];
  return /\.services\.ai\.azure\.(com|us|cn)$/i.test(hostname) ? foundry : openai;
}
