"use client";

import { useEffect } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { ambientKinds } from "@/lib/shared/credentials/ambient";
import { azureClouds } from "@/lib/shared/credentials/azure-clouds";
import { pastedKeys } from "@/lib/shared/credentials/pasted-keys";
import type { NodeView } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { AreaField, CheckField, More, SelectField, TextField } from "../../forms/fields";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { type CredentialField, credentialFields, kindsFor, sourceKinds } from "./credential-draft";
import type { NodeDraft } from "./node-draft";

type Place = "credential" | "credential.source";

/** Members that few people need. */
const further: ReadonlySet<CredentialField> = new Set([
  "region",
  "service",
  "sessionName",
  "durationS",
  "cloud",
  "scope",
  "objectId",
  "resourceId",
]);

const secret: ReadonlySet<CredentialField> = new Set(["secretAccessKey", "sessionToken", "clientSecret"]);

const optional: ReadonlySet<CredentialField> = new Set(["sessionToken", "externalId"]);

/** How the gateway signs in at the node: a key, or a credential of a cloud. Secrets are write-only. */
export function CredentialForm(props: { node: NodeView | null }) {
  const text = useMessages("adminNodes");
  const words = text.credential;
  const { node } = props;
  const [provider, baseUrl, kind, isRemoved] = useWatch<
    NodeDraft,
    ["provider", "baseUrl", "credential.kind", "clearKey"]
  >({ name: ["provider", "baseUrl", "credential.kind", "clearKey"] });
  usePastedKeys();
  const allowed = useRead("GET /api/admin/settings").data?.cloudCredentialsAmbient === true;
  const kinds = kindsFor({ provider, baseUrl }, kind, { allowed, kinds: ambientKinds });
  const stored = node?.hasApiKey === true;
  return (
    <>
      {kinds.length > 1 && (
        <SelectField<NodeDraft>
          name="credential.kind"
          label={words.kind}
          hint={allowed ? words.kindHint : words.notLent}
          options={kinds.map((value) => ({ value, label: words.kinds[value] }))}
          disabled={isRemoved}
        />
      )}
      {kind === "key" ? <KeyField node={node} /> : !isRemoved && <Members at="credential" node={node} />}
      {stored && (
        <CheckField<NodeDraft>
          name="clearKey"
          label={node.credential?.kind === "key" ? text.apiKeyClear : words.remove}
        />
      )}
    </>
  );
}

/** Keys of AWS that are pasted as one text, into the field of a key or of an access key, are put into their fields. */
function usePastedKeys() {
  const { setValue } = useFormContext<NodeDraft>();
  const [apiKey, typed, source] = useWatch<
    NodeDraft,
    ["apiKey", "credential.accessKeyId", "credential.source.accessKeyId"]
  >({ name: ["apiKey", "credential.accessKeyId", "credential.source.accessKeyId"] });
  useEffect(() => {
    const put = (pasted: string, at: Place) => {
      const keys = pastedKeys(pasted);
      if (keys === null) return false;
      setValue(`${at}.accessKeyId`, keys.accessKeyId);
      setValue(`${at}.secretAccessKey`, keys.secretAccessKey);
      setValue(`${at}.sessionToken`, keys.sessionToken ?? "");
      setValue(`${at}.region`, keys.region ?? "");
      return true;
    };
    if (put(apiKey, "credential")) {
      setValue("apiKey", "");
      setValue("credential.kind", "aws_static");
    }
    put(typed, "credential");
    put(source, "credential.source");
  }, [apiKey, typed, source, setValue]);
}

/** Of a stored key only its last characters are known here. */
function KeyField(props: { node: NodeView | null }) {
  const text = useMessages("adminNodes");
  const isRemoved = useWatch<NodeDraft, "clearKey">({ name: "clearKey" });
  return (
    <TextField<NodeDraft>
      name="apiKey"
      label={text.apiKey}
      hint={useKeyHint(props.node)}
      type="password"
      autoComplete="new-password"
      disabled={isRemoved}
    />
  );
}

function useKeyHint(node: NodeView | null): string {
  const text = useMessages("adminNodes");
  const { ends, short } = text.apiKeySet;
  if (node?.hasApiKey !== true) return text.apiKeyHint;
  const { kind = "key", principal = null } = node.credential ?? {};
  if (kind === "key") return node.apiKeyHint ? fill(ends, { hint: node.apiKeyHint }) : short;
  const kinds: Record<string, string> = text.credential.kinds;
  return fill(text.credential.stored, { kind: kinds[kind] ?? kind, principal: principal ?? "" });
}

/** The members of a kind, those that few people need in a fold. */
function Members(props: { at: Place; node: NodeView | null }) {
  const { credential: words } = useMessages("adminNodes");
  const { at } = props;
  const [kind] = useWatch<NodeDraft, [`${Place}.kind`]>({ name: [`${at}.kind`] });
  const fields: readonly CredentialField[] = credentialFields[kind];
  const isAzure = kind.startsWith("azure_");
  const folded = fields.filter((name) => further.has(name));
  return (
    <>
      {fields.map((name) => !further.has(name) && <Member key={name} {...props} kind={kind} name={name} />)}
      {kind === "aws_role" && <Source node={props.node} />}
      {folded.length > 0 && (
        <More label={isAzure ? words.moreAzure : words.more}>
          {folded.map((name) => (
            <Member key={name} {...props} kind={kind} name={name} />
          ))}
        </More>
      )}
    </>
  );
}

/** Who assumes a role. */
function Source(props: { node: NodeView | null }) {
  const { credential: words } = useMessages("adminNodes");
  const allowed = useRead("GET /api/admin/settings").data?.cloudCredentialsAmbient === true;
  const chosen = useWatch<NodeDraft, "credential.source.kind">({ name: "credential.source.kind" });
  const kinds = sourceKinds.filter((kind) => allowed || kind === chosen || !ambientKinds.has(kind));
  return (
    <fieldset className="grid gap-4 rounded-md border p-3">
      <legend className="px-1 text-sm font-medium">{words.source}</legend>
      {kinds.length > 1 && (
        <SelectField<NodeDraft>
          name="credential.source.kind"
          label={words.kind}
          options={kinds.map((value) => ({ value, label: words.kinds[value] }))}
        />
      )}
      <Members at="credential.source" node={props.node} />
    </fieldset>
  );
}

/** One member: a text, a secret, a file's text or a choice. */
function Member(props: { at: Place; node: NodeView | null; kind: string; name: CredentialField }) {
  const { credential: words } = useMessages("adminNodes");
  const { at, name, node, kind } = props;
  const isStored =
    node?.credential?.kind === kind || (at !== "credential" && node?.credential?.source !== undefined);
  const bound = {
    name: `${at}.${name}` as const,
    label: words.fields[name],
    optional: optional.has(name),
  };
  if (name === "cloud")
    return (
      <SelectField<NodeDraft>
        {...bound}
        options={azureClouds.map((value) => ({ value, label: words.clouds[value] }))}
      />
    );
  const hint = hintOf(name, kind, words.hints);
  if (name === "json")
    return <AreaField<NodeDraft> code {...bound} hint={isStored ? words.secretStored : hint} />;
  if (!secret.has(name)) return <TextField<NodeDraft> {...bound} hint={hint} />;
  return (
    <TextField<NodeDraft>
      {...bound}
      hint={isStored && !bound.optional ? words.secretStored : hint}
      type="password"
      autoComplete="new-password"
    />
  );
}

function hintOf(name: CredentialField, kind: string, hints: Record<string, string>): string | undefined {
  if (name === "tokenFile") return kind.startsWith("aws_") ? hints.awsTokenFile : hints.azureTokenFile;
  if (kind === "azure_managed" && (name === "clientId" || name === "objectId" || name === "resourceId"))
    return hints.oneId;
  return hints[name];
}
