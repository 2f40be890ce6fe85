import { awsTarget } from "./aws-target";

/**
 * True when neither the host of a base URL nor the credential tells the region that signatures must name.
 * Shape: a credential, or its fields that may be read. Source: docs/clouds.md#signing.
 */
export function lacksRegion(credential: { kind: string; region?: unknown }, baseUrl: string): boolean {
  if (!credential.kind.startsWith("aws_")) return false;
  const region = typeof credential.region === "string" ? credential.region : undefined;
  return awsTarget(new URL(baseUrl).hostname, { region }) === null;
}
