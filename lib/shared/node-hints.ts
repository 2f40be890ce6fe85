/**
 * What an admin may have to change, as far as a vendor's refusal tells it.
 *
 * - `azure_scope`: tokens for the scope `value` may be let in. `azure_role`: the identity has no role at the resource, or got it
 *   less than five minutes ago. `azure_firewall`: the resource's network rules refuse the gateway's address.
 * - `azure_keys_disabled`: the resource takes identities of Entra only. `azure_deployment`: there is no deployment of
 *   this name. `azure_models`: the list has models; calls name deployments.
 * - `bedrock_route`: the model is served below the base URL `value`.
 */
export const nodeHints = [
  "azure_scope",
  "azure_role",
  "azure_firewall",
  "azure_keys_disabled",
  "azure_deployment",
  "azure_models",
  "bedrock_route",
] as const;

/** The name of a hint. */
export type NodeHintCode = (typeof nodeHints)[number];
