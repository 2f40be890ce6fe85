import { z } from "zod";
import { addressAt } from "./google-address";
import { fileOf, objectOf } from "./json-file";

const format = z
  .object({ type: z.enum(["text", "json"]), subject_token_field_name: z.string().optional() })
  .refine((one) => one.type === "text" || one.subject_token_field_name !== undefined, {
    path: ["subject_token_field_name"],
    error: "is required for the type json",
  })
  .default({ type: "text" });

/** Where the token of the other identity is found. A program that is run to get one is never accepted. */
const tokenPlace = z
  .object({
    file: z
      .string()
      .regex(/^\/[^\0]+$/, "must be the absolute path of a file")
      .optional(),
    url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
    headers: z.record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string().regex(/^[\t\x20-\x7e]*$/)).default({}),
    format,
    executable: z.never("is never run; use a file or an address").optional(),
    environment_id: z.never("is not supported; use a file or an address").optional(),
  })
  .refine((place) => (place.file === undefined) !== (place.url === undefined), "must have a file or a url");

const impersonation = /\/serviceAccounts\/[\w.-]+(?:@|%40)[\w.-]+:generateAccessToken$/;

/** The members of the file of an external account that count. */
const externalAccount = z.object({
  type: z.literal("external_account", "must be external_account"),
  audience: z.string().min(1).max(2_048),
  subject_token_type: z.string().min(1).max(256),
  token_url: addressAt("sts.googleapis.com"),
  credential_source: tokenPlace,
  service_account_impersonation_url: addressAt("iamcredentials.googleapis.com")
    .refine((url) => impersonation.test(url), "must end in a service account's mail and :generateAccessToken")
    .optional(),
  service_account_impersonation: z
    .object({ token_lifetime_seconds: z.int().min(600).max(43_200).default(3_600) })
    .default({ token_lifetime_seconds: 3_600 }),
});

/** What the file of an external account says. */
export type ExternalAccount = z.output<typeof externalAccount>;

/** An identity of another provider that Google trusts. */
export const gcpExternal = z.strictObject({
  kind: z.literal("gcp_external"),
  json: fileOf(externalAccount),
});

/** The members of the file of an external account that was checked before. Throws: for any other text. */
export function readExternalAccount(json: string): ExternalAccount {
  return externalAccount.parse(objectOf(json));
}
