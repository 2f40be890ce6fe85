/** The region and the service that a signature names. */
export interface AwsTarget {
  region: string;
  service: string;
}

const host =
  /(?:^|\.)bedrock(?:-(runtime|mantle))?(?:-fips)?\.([a-z]{2,4}(?:-[a-z]+)+-\d{1,2})\.(?:amazonaws\.com(?:\.cn)?|vpce\.amazonaws\.com|api\.aws)$/;

/**
 * What a signature for a host names: what the host says wins over what the credential says, because the host checks the
 * signature. Shape: null when neither says the region.
 * Source: docs/clouds.md#signing.
 */
export function awsTarget(
  hostname: string,
  said: { region?: string | undefined; service?: string | undefined },
): AwsTarget | null {
  const found = host.exec(hostname.toLowerCase());
  const region = found?.[2] ?? said.region;
  if (region === undefined) return null;
  return { region, service: said.service ?? (found?.[1] === "mantle" ? "bedrock-mantle" : "bedrock") };
}

/** The host of the security token service of a region. Source: docs/clouds.md#kinds. */
export function stsHost(region: string): string {
  return `sts.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}
