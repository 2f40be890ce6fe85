import { describe, expect, test } from "vitest";
import {
  credentialBody,
  credentialDraftOf,
  credentialFields,
  credentialKinds,
  kindsFor,
  sourceKinds,
} from "@/components/admin/nodes/credential-draft";
import { draftOf, lacksKey, nodeBody } from "@/components/admin/nodes/node-draft";
import type { NodeView } from "@/components/api/admin/types";
import { ambientKinds } from "@/lib/shared/credentials/ambient";
import { awsRole } from "@/lib/shared/credentials/aws";
import { credential } from "@/lib/shared/credentials/credential";
import { principalOf } from "@/lib/shared/credentials/principal";
import { withoutSecrets } from "@/lib/shared/credentials/secret-fields";

const keys = {
  kind: "aws_static",
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "canary+secret+of+forty+characters+abcdef",
};
const role = { kind: "aws_role", roleArn: "arn:aws:iam::123456789012:role/a", source: keys };

/** A credential as records show it. */
function shown(entered: unknown): NodeView["credential"] {
  const value = credential.parse(entered);
  return { ...withoutSecrets(value), kind: value.kind, principal: principalOf(value) };
}

describe("the form of a credential", () => {
  test("has the members of every kind, and the sources of a role, as the API has them", () => {
    const members = credential.options.map(({ shape }) => {
      const { kind, ...rest } = shape;
      return [kind.value, Object.keys(rest).filter((name) => name !== "source")];
    });
    const own = Object.entries(credentialFields).map(([kind, names]) => [kind, [...names]]);
    const sorted = (list: unknown[]) => list.map((one) => JSON.stringify(one)).sort();
    const plain = members.map(([kind, names]) => [
      kind,
      kind === "key" ? [] : [...(names as string[])].sort(),
    ]);
    expect(sorted(own.map(([kind, names]) => [kind, [...(names as string[])].sort()]))).toEqual(
      sorted(plain),
    );
    expect(awsRole.shape.source.options.map(({ shape }) => shape.kind.value)).toEqual(sourceKinds);
  });

  test("never has a stored secret, and changes nothing as it stands", () => {
    for (const entered of [keys, role]) {
      const node = { ...emptyNode, hasApiKey: true, credential: shown(entered) };
      const draft = draftOf(node);
      expect(JSON.stringify(draft)).not.toContain("canary");
      expect(nodeBody(draft)).toEqual(nodeBody(draftOf(node)));
      expect(lacksKey(draft, node)).toBe(false);
    }
  });

  test("sends what is typed of the chosen kind only, and nothing that is empty", () => {
    const draft = credentialDraftOf(null);
    expect(credentialBody(draft)).toBeUndefined();
    const typed = { ...draft, ...keys, clientSecret: "other", kind: "aws_static" as const };
    expect(credentialBody(typed)).toEqual(keys);
    expect(credential.parse(credentialBody(typed))).toEqual(keys);
    const source = { ...draft.source, ...keys, kind: "aws_static" as const };
    const assumed = {
      ...draft,
      kind: "aws_role" as const,
      roleArn: role.roleArn,
      durationS: "1,800",
      source,
    };
    expect(credentialBody(assumed)).toEqual({ ...role, durationS: 1_800 });
  });

  test("removes what is stored where that is asked for, and asks before nothing is left", () => {
    const node = { ...emptyNode, hasApiKey: true, credential: shown(keys) };
    const removed = { ...draftOf(node), clearKey: true };
    expect(nodeBody(removed)).toMatchObject({ credential: null });
    const draft = draftOf(node);
    const keyed = { ...draft, credential: { ...draft.credential, kind: "key" as const } };
    for (const one of [removed, keyed]) expect(lacksKey(one, node)).toBe(true);
    expect(lacksKey({ ...keyed, apiKey: "sk-1" }, node)).toBe(false);
  });

  test.each([
    ["bedrock", "https://x.example", "aws_"],
    ["", "https://bedrock-runtime.us-east-1.amazonaws.com", "aws_"],
    ["vertex", "https://x.example", "gcp_"],
    ["azure", "https://x.example", "azure_"],
  ])("offers the kinds of the provider %j at %s", (provider, baseUrl, prefix) => {
    const kindsOf = (allowed: boolean) =>
      kindsFor({ provider, baseUrl }, "key", { allowed, kinds: ambientKinds });
    expect(kindsOf(true)).toEqual(
      credentialKinds.filter((kind) => kind === "key" || kind.startsWith(prefix)),
    );
    expect(kindsOf(false).some((kind) => ambientKinds.has(kind))).toBe(false);
  });

  test("offers a key alone to others, all kinds where nobody knows the host, and what is stored", () => {
    const lent = { allowed: true, kinds: ambientKinds };
    expect(kindsFor({ provider: "openai", baseUrl: "" }, "key", lent)).toEqual(["key"]);
    expect(kindsFor({ provider: "", baseUrl: "https://gate.example" }, "key", lent)).toEqual(credentialKinds);
    const none = { ...lent, allowed: false };
    expect(kindsFor({ provider: "openai", baseUrl: "" }, "aws_imds", none)).toEqual(["key", "aws_imds"]);
  });
});

const emptyNode = {
  ...({ id: "n", name: "n", provider: null, protocol: "chat", baseUrl: "https://x.example/v1" } as NodeView),
  apiKeyHint: null,
  headers: {},
  enabled: true,
  proxy: null,
  ca: null,
  maxConcurrency: null,
};
