import { z } from "zod";
import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { awsContainer, awsImds, awsRole, awsStatic, awsWebIdentity } from "./aws";
import { azureClient, azureManaged, azureWorkload } from "./azure";
import { gcpExternal } from "./external-account";
import { gcpMetadata } from "./gcp-metadata";
import { pastedKeys } from "./pasted-keys";
import { gcpServiceAccount } from "./service-account";

/** The API key of a provider; it is sent as it is. */
const key = z.strictObject({
  kind: z.literal("key"),
  key: z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces"),
});

/** What a node shows to be let in, by its kind. Source: docs/clouds.md#kinds. */
export const credential = z.discriminatedUnion("kind", [
  key,
  awsStatic,
  awsRole,
  awsWebIdentity,
  awsContainer,
  awsImds,
  gcpServiceAccount,
  gcpExternal,
  gcpMetadata,
  azureClient,
  azureWorkload,
  azureManaged,
]);

/** A credential that was checked. */
export type Credential = z.output<typeof credential>;

/** The name of a kind. */
export type CredentialKind = Credential["kind"];

/** A credential of one kind, or of some. */
export type CredentialOf<Kind extends CredentialKind> = Extract<Credential, { kind: Kind }>;

/**
 * A credential as somebody enters it: an object, a key, or pasted keys of AWS as `access key|secret|region`.
 * Source: docs/clouds.md#kinds.
 */
export const enteredCredential = z.preprocess(
  (value) => (typeof value === "string" ? fieldsOf(value) : value),
  credential,
);

function fieldsOf(text: string): z.input<typeof credential> {
  const pasted = pastedKeys(text);
  return pasted === null ? { kind: "key", key: text } : { kind: "aws_static", ...pasted };
}

/** A credential as the text that is encrypted. A key is stored as it is, as nodes have always had it. */
export function credentialText(value: Credential): string {
  return value.kind === "key" ? value.key : JSON.stringify(value);
}

/** The credential in a stored text. Throws: for a text with a kind that is not valid; the error holds nothing of it. */
export function readCredential(text: string): Credential {
  const value = text.startsWith("{") ? parseJson(text) : undefined;
  if (!isObject(value) || typeof value.kind !== "string") return { kind: "key", key: text };
  const { data } = credential.safeParse(value);
  if (data === undefined) throw new Error("the stored credential of a node cannot be read");
  return data;
}
