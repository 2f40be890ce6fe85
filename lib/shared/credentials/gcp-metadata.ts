import { z } from "zod";

/** A service account of the machine or pod that the gateway runs on. */
export const gcpMetadata = z.strictObject({
  kind: z.literal("gcp_metadata"),
  serviceAccount: z
    .string()
    .regex(
      /^(default|[a-z0-9.-]{1,128}@[a-z0-9.-]{1,128})$/,
      "must be default or the mail of a service account",
    )
    .default("default"),
});
