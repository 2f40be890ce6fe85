import { z } from "zod";
import { addressAt } from "./google-address";
import { fileOf, objectOf } from "./json-file";

/** The members of a service account's file that count. */
const serviceAccount = z.object({
  type: z.literal("service_account", "must be service_account"),
  client_email: z.string().regex(/^[^\s@]{1,128}@[^\s@]{1,128}$/, "must be the mail of a service account"),
  private_key: z.string().regex(/^-----BEGIN (RSA )?PRIVATE KEY-----\s/, "must be a private key in PEM form"),
  private_key_id: z.string().max(256).optional(),
  token_uri: addressAt(".googleapis.com").default("https://oauth2.googleapis.com/token"),
  project_id: z.string().max(256).optional(),
});

/** What a service account's file says. */
export type ServiceAccount = z.output<typeof serviceAccount>;

/** The key of a service account. Source: docs/clouds.md#kinds. */
export const gcpServiceAccount = z.strictObject({
  kind: z.literal("gcp_service_account"),
  json: fileOf(serviceAccount),
});

/** The members of a service account's file that was checked before. Throws: for any other text. */
export function readServiceAccount(json: string): ServiceAccount {
  return serviceAccount.parse(objectOf(json));
}
