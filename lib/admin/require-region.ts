import { badField } from "@/lib/kernel/errors";
import { lacksRegion } from "@/lib/upstream/credentials/region-check";

/** Throws: INVALID_REQUEST when nothing tells the region of a signature. Source: docs/clouds.md#signing. */
export function requireRegion(credential: { kind: string; region?: unknown }, baseUrl: string): void {
  if (lacksRegion(credential, baseUrl))
    throw badField("credential.region", "is required: the host of baseUrl does not tell it");
}
