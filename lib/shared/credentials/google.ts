import { z } from "zod";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";

const MAX_JSON_CHARACTERS = 64 * 1024;

/** An https address of one host, or of any below it where the host begins with a dot. */
function addressAt(host: string) {
  return z.string().refine((text) => isAddressAt(text, host), `must be an https address of ${host}`);
}

function isAddressAt(text: string, host: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isHost = host.startsWith(".") ? url.hostname.endsWith(host) : url.hostname === host;
  return url.protocol === "https:" && isHost && url.port === "" && url.username === "" && url.password === "";
}

/** The members of a service account's file that count. */
const serviceAccount = z.object({
  type: z.literal("service_account", "must be service_account"),
  client_email: z.string().regex(/^[^\s@]{1,128}@[^\s@]{1,128}$/, "must be the mail of a service account"),
  private_key: z.string().regex(/^-----BEGIN (RSA )?PRIVATE KEY-----\s/, "must be a private key in PEM form"),
  private_key_id: z.string().max(256).optional(),
  token_uri: addressAt(".googleapis.com").default("https://oauth2.googleapis.com/token"),
  project_id: z.string().max(256).optional(),
});

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

/** What a service account's file says. */
export type ServiceAccount = z.output<typeof serviceAccount>;

/** What the file of an external account says. */
export type ExternalAccount = z.output<typeof externalAccount>;

/** The text of a file that a schema accepts; the text itself is kept. */
function fileOf(schema: z.ZodType) {
  return z
    .string()
    .max(MAX_JSON_CHARACTERS)
    .superRefine((text, context) => {
      const members = objectOf(text);
      if (members === null) context.addIssue("must be the JSON of the file");
      else
        for (const { path, message } of schema.safeParse(members).error?.issues ?? []) {
          context.addIssue([path.join("."), message].filter((part) => part !== "").join(" "));
        }
    });
}

function objectOf(text: string): JsonObject | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}

/** The key of a service account. Source: docs/clouds.md#kinds. */
export const gcpServiceAccount = z.strictObject({
  kind: z.literal("gcp_service_account"),
  json: fileOf(serviceAccount),
});

/** An identity of another provider that Google trusts. */
export const gcpExternal = z.strictObject({
  kind: z.literal("gcp_external"),
  json: fileOf(externalAccount),
});

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

/** The members of a service account's file that was checked before. Throws: for any other text. */
export function readServiceAccount(json: string): ServiceAccount {
  return serviceAccount.parse(objectOf(json));
}

/** The members of the file of an external account that was checked before. Throws: for any other text. */
export function readExternalAccount(json: string): ExternalAccount {
  return externalAccount.parse(objectOf(json));
}
