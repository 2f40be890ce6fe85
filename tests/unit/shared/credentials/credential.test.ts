import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isAmbient } from "@/lib/shared/credentials/ambient";
import {
  credential,
  credentialText,
  enteredCredential,
  readCredential,
} from "@/lib/shared/credentials/credential";
import { pastedKeys } from "@/lib/shared/credentials/pasted-keys";
import { principalOf } from "@/lib/shared/credentials/principal";
import { secretFields, secretsOf, withoutSecrets } from "@/lib/shared/credentials/secret-fields";

const guid = "11111111-aaaa-4bbb-8ccc-222222222222";
const secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const keys = { kind: "aws_static", accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: secret };
const roleArn = "arn:aws:iam::123456789012:role/team/gateway";
const role = { kind: "aws_role", source: keys, roleArn };
const managed = { kind: "azure_managed" };
const client = { kind: "azure_client", tenantId: guid, clientId: guid, clientSecret: "s~1" };

function serviceAccount(changes: Record<string, unknown> = {}) {
  const file = {
    type: "service_account",
    client_email: "a@b.iam.gserviceaccount.com",
    private_key: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    universe_domain: "googleapis.com",
    ...changes,
  };
  return { kind: "gcp_service_account", json: JSON.stringify(file) };
}

function external(changes: Record<string, unknown> = {}, source: Record<string, unknown> = { file: "/t" }) {
  const file = {
    type: "external_account",
    audience: "//iam.googleapis.com/x",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: "https://sts.googleapis.com/v1/token",
    credential_source: source,
    ...changes,
  };
  return { kind: "gcp_external", json: JSON.stringify(file) };
}

/** What is wrong, as path and sentence. */
function problems(value: unknown): string[] {
  const { error } = enteredCredential.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

/** Source: docs/clouds.md#kinds. */
describe("a credential that is saved", () => {
  test.each([
    [{ kind: "key", key: "sk-1" }],
    [keys],
    [{ ...keys, accessKeyId: "ASIAIOSFODNN7EXAMPLE", sessionToken: "t/+=", region: "us-gov-west-1" }],
    [role],
    [{ ...role, source: { kind: "aws_web_identity", roleArn }, externalId: "a:1", durationS: 43_200 }],
    [
      {
        kind: "aws_web_identity",
        roleArn: "arn:aws-us-gov:iam::123456789012:role/x",
        tokenFile: "/var/run/t",
      },
    ],
    [{ kind: "aws_container", region: "eu-central-1" }],
    [{ kind: "aws_imds" }],
    [serviceAccount()],
    [serviceAccount({ token_uri: "https://oauth2.googleapis.com/token" })],
    [external()],
    [
      external(
        {},
        { url: "http://169.254.169.254/x", headers: { Metadata: "True" }, format: { type: "text" } },
      ),
    ],
    [{ kind: "gcp_metadata" }],
    [client],
    [{ ...client, cloud: "china", scope: "api://x/.default" }],
    [{ kind: "azure_workload", tenantId: guid, clientId: guid }],
    [managed],
    [{ ...managed, clientId: guid }],
  ])("may be %j", (value) => {
    expect(problems(value)).toEqual([]);
    const checked = credential.parse(value);
    expect(readCredential(credentialText(checked))).toEqual(checked);
  });

  test.each([
    [{ kind: "nobody" }, /^kind: /],
    [{ kind: "key", key: "with blank" }, /^key: must be printable ASCII/],
    [{ ...keys, accessKeyId: "BKIAIOSFODNN7EXAMPLE" }, /^accessKeyId: must be an access key/],
    [{ ...keys, accessKeyId: "ASIAIOSFODNN7EXAMPLE" }, /^sessionToken: is required/],
    [
      { ...role, source: { ...keys, accessKeyId: "ASIAIOSFODNN7EXAMPLE" } },
      /^source.sessionToken: is required/,
    ],
    [{ ...keys, region: "Europe" }, /^region: must be the name of a region/],
    [{ ...role, roleArn: "arn:aws:iam::1:role/x" }, /^roleArn: must be the ARN of a role/],
    [{ ...role, sessionName: "x" }, /^sessionName: must be 2 to 64/],
    [{ ...role, durationS: 899 }, /^durationS: must be a whole number from 900 to 43200$/],
    [{ ...role, durationS: 43_201 }, /^durationS: must be a whole number from 900 to 43200$/],
    [{ ...role, source: role }, /^source.kind: /],
    [{ kind: "aws_web_identity", roleArn, tokenFile: "relative" }, /^tokenFile: must be the absolute path/],
    [{ kind: "aws_imds", extra: 1 }, /Unrecognized key/],
    [{ kind: "gcp_service_account", json: "{" }, /^json: must be the JSON of the file$/],
    [serviceAccount({ type: "authorized_user" }), /^json: type must be service_account$/],
    [serviceAccount({ private_key: "AAAA" }), /^json: private_key must be a private key in PEM form$/],
    [
      serviceAccount({ token_uri: "https://evil.example/token" }),
      /^json: token_uri must be an https address/,
    ],
    [serviceAccount({ token_uri: "http://oauth2.googleapis.com/token" }), /^json: token_uri must be/],
    [serviceAccount({ token_uri: "https://u@oauth2.googleapis.com/token" }), /^json: token_uri must be/],
    [serviceAccount({ token_uri: "https://evilgoogleapis.com/token" }), /^json: token_uri must be/],
    [external({ token_url: "https://evil.example/" }), /^json: token_url must be an https address of sts/],
    [
      external({
        service_account_impersonation_url: "https://evil.example/serviceAccounts/a@b:generateAccessToken",
      }),
      /^json: service_account_impersonation_url must be an https address of iamcredentials/,
    ],
    [
      external({}, { executable: { command: "/bin/sh" } }),
      /^json: credential_source.executable is never run/,
    ],
    [
      external({}, { environment_id: "aws1", url: "http://169.254.169.254/" }),
      /environment_id is not supported/,
    ],
    [external({}, {}), /^json: credential_source must have a file or a url$/],
    [external({}, { file: "/t", format: { type: "json" } }), /subject_token_field_name is required/],
    [{ kind: "gcp_metadata", serviceAccount: "../../x" }, /^serviceAccount: must be default or the mail/],
    [{ ...client, tenantId: "contoso" }, /^tenantId: must be an id/],
    [{ ...client, scope: "https://x.example" }, /^scope: must be an address that ends in/],
    [{ ...managed, clientId: guid, objectId: guid }, /must have one id at most/],
    [{ ...managed, resourceId: "x" }, /^resourceId: must be the resource id/],
  ])("may not be %j", (value, expected) => {
    expect(problems(value).join("\n")).toMatch(expected);
  });

  test("may be a pasted line of keys, or a plain key", () => {
    const line = `AKIAIOSFODNN7EXAMPLE|${secret}|eu-west-1`;
    expect(enteredCredential.parse(line)).toEqual({ ...keys, region: "eu-west-1" });
    const { kind: _, ...plain } = keys;
    expect(pastedKeys(` AKIAIOSFODNN7EXAMPLE | ${secret} `)).toEqual(plain);
    expect(pastedKeys(`ASIA0000000000000000|${secret}||t`)).toMatchObject({ sessionToken: "t" });
    expect(pastedKeys("sk-1|x")).toBeNull();
    expect(pastedKeys("AKIAIOSFODNN7EXAMPLE")).toBeNull();
    expect(enteredCredential.parse("sk-1|x")).toEqual({ kind: "key", key: "sk-1|x" });
  });

  test("is described by a JSON schema", () => {
    expect(() => z.toJSONSchema(credential, { io: "input" })).not.toThrow();
  });
});

describe("a stored text", () => {
  test("without a kind is a key, as before there were kinds", () => {
    for (const text of ["sk-1", "{}", '{"a":1}', "{", '{"kind":1}']) {
      expect(readCredential(text)).toEqual({ kind: "key", key: text });
    }
    expect(credentialText({ kind: "key", key: "sk-1" })).toBe("sk-1");
  });

  test("with a kind that is not valid is never sent as a key, and its error tells nothing of it", () => {
    expect(() => readCredential('{"kind":"aws_static","secretAccessKey":"canary"}')).toThrow(
      /^the stored credential of a node cannot be read$/,
    );
  });
});

describe("what is known of a credential", () => {
  test("is who it is, what is secret, and whether the machine lends it", () => {
    const nested = credential.parse(role);
    expect(principalOf(nested)).toBe(roleArn);
    expect(secretsOf(nested)).toEqual([secret]);
    expect(withoutSecrets(nested)).toMatchObject({ roleArn, source: { accessKeyId: keys.accessKeyId } });
    expect(JSON.stringify(withoutSecrets(nested))).not.toContain(secret);
    expect(isAmbient(nested)).toBe(false);
    expect(isAmbient(credential.parse({ ...role, source: { kind: "aws_imds" } }))).toBe(true);
    expect(isAmbient(credential.parse(external()))).toBe(true);
    expect(isAmbient(credential.parse(client))).toBe(false);
    expect(principalOf(credential.parse(external()))).toBe("//iam.googleapis.com/x");
    expect(Object.keys(secretFields)).toHaveLength(12);
  });
});
