import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import { providerOf } from "@/lib/protocols/profiles/provider";
import type { NodeHintCode } from "@/lib/shared/node-hints";
import type { CallableNode } from "@/lib/upstream/call-node";
import { entraScope, entraScopes } from "@/lib/upstream/credentials/entra-scope";

/** A hint; `value`: what to try, null where the hint has none. */
export interface NodeHint {
  code: NodeHintCode;
  value: string | null;
}

type Asked = Pick<CallableNode, "provider" | "baseUrl" | "access">;

const named = (code: NodeHintCode): NodeHint => ({ code, value: null });

/** The hint of a refusal; null for none. Source: docs/clouds.md#hints. */
export function hintOfRefusal(node: Asked, status: number, failure: UpstreamFailure): NodeHint | null {
  switch (providerOf(node).id) {
    case "azure":
      return hintOfAzure(node, status, failure);
    case "bedrock":
      return hintOfBedrock(node, failure);
    default:
      return null;
  }
}

/** Mantle serves some models below `/v1` and others below `/openai/v1`. */
function hintOfBedrock({ baseUrl }: Asked, { message }: UpstreamFailure): NodeHint | null {
  const url = new URL(baseUrl);
  if (!url.hostname.includes("bedrock-mantle") || !/supported on this route/i.test(message)) return null;
  const path = url.pathname.replace(/\/+$/, "");
  if (path !== "/v1" && path !== "/openai/v1") return null;
  url.pathname = path === "/v1" ? "/openai/v1" : "/v1";
  return { code: "bedrock_route", value: url.href };
}

function hintOfAzure(node: Asked, status: number, failure: UpstreamFailure): NodeHint | null {
  const { code, message } = failure;
  const words = `${code}\n${message}\n${failure.marks ?? ""}`;
  if (status === 401 && code === "PermissionDenied") return named("azure_role");
  if (status === 401 && /\baudience\b/i.test(words)) return scopeHint(node);
  if (status === 403 && /AuthenticationTypeDisabled|key[ -]based authentication is disabled/i.test(words))
    return named("azure_keys_disabled");
  if (status === 403 && /firewall|virtual network|public (?:network )?access/i.test(words))
    return named("azure_firewall");
  if (status === 404 && /DeploymentNotFound/.test(words)) return named("azure_deployment");
  return null;
}

/** The hint of a list of models; null for none. Source: docs/clouds.md#hints. */
export function hintOfList(node: Asked): NodeHint | null {
  return isAzure(node) ? named("azure_models") : null;
}

function isAzure(node: Asked): boolean {
  return providerOf(node).id === "azure";
}

function scopeHint({ access, baseUrl }: Asked): NodeHint | null {
  const credential = access?.credential;
  if (credential === undefined || !("cloud" in credential)) return null;
  const used = entraScope(credential, new URL(baseUrl).hostname);
  const { openai, foundry } = entraScopes[credential.cloud];
  return { code: "azure_scope", value: used === openai ? foundry : openai };
}
