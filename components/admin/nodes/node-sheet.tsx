"use client";

import { FormFrame } from "@/components/forms/form-frame";
import { type FieldErrors, useRecordForm } from "@/components/forms/use-record-form";
import { providers } from "@/lib/protocols/profiles/providers";
import { protocolIds, protocolNamed } from "@/lib/protocols/protocol";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { Sheet } from "../../ui/dialog";
import { Checkbox, Field, Input, Select, TextArea } from "../../ui/field";
import { toast } from "../../ui/toast";
import { onlyChanges } from "../draft";
import type { NodeView } from "../types";
import { useAdminCall } from "../use-admin-change";
import { draftOf, type NodeBody, type NodeDraft, readNode, timeoutNames } from "./node-draft";
import { NodeFormTest } from "./node-form-test";
import { presetOf, providerName, providerTyped, withProtocol, withProvider } from "./node-provider";
import { ProviderNote } from "./provider-note";

const advanced = ["maxConcurrency", "proxy", "headers", ...timeoutNames.map((name) => `timeouts.${name}`)];
const shown = ["name", "provider", "protocol", "baseUrl", "apiKey", ...advanced];

interface FieldsProps {
  node: NodeView | null;
  draft: NodeDraft;
  change: (part: Partial<NodeDraft>) => void;
  errors: FieldErrors;
}

/** Creates or changes a node. */
export function NodeSheet(props: { node: NodeView | null; onClose: () => void }) {
  const text = useMessages("adminNodes");
  const { node } = props;
  const title = node === null ? text.createTitle : fill(text.editTitle, { name: node.name });
  return (
    <Sheet open onClose={props.onClose} title={title}>
      <NodeForm {...props} />
    </Sheet>
  );
}

function NodeForm(props: { node: NodeView | null; onClose: () => void }) {
  const text = useMessages("adminNodes");
  const admin = useMessages("admin");
  const common = useMessages("common");
  const call = useAdminCall();
  const { node, onClose } = props;
  const form = useRecordForm<NodeDraft, NodeBody>({
    keep: { name: `node ${node?.id ?? ""}`, secrets: ["apiKey", "headers", "proxy"] },
    initial: draftOf(node),
    read: (draft) => readNode(draft, node, text, admin),
    send: async (whole) => {
      const body = node === null ? whole : onlyChanges(whole, node);
      if (Object.keys(body).length > 0) {
        if (node === null) await call("POST /api/admin/nodes", { body: whole });
        else await call("PATCH /api/admin/nodes/{id}", { params: { id: node.id }, body });
        toast.done(fill(text.saved, { name: whole.name }));
      }
      onClose();
    },
  });
  return (
    <FormFrame
      form={form}
      shown={shown}
      submitLabel={node === null ? text.create : common.save}
      onCancel={onClose}
    >
      <MainFields node={node} {...form} />
      <KeyFields node={node} {...form} />
      <AdvancedFields node={node} {...form} />
      <NodeFormTest node={node} draft={form.draft} />
    </FormFrame>
  );
}

function MainFields(props: FieldsProps) {
  const text = useMessages("adminNodes");
  const { draft, change, errors } = props;
  const preset = presetOf(draft.provider, draft.protocol);
  const provider = providers.find(({ id }) => id === draft.provider) ?? providerTyped(draft);
  const hint = preset === "" ? text.baseUrlHint[draft.protocol] : fill(text.baseUrlPreset, { url: preset });
  return (
    <>
      <Field label={text.name} hint={text.nameHint} errors={errors.name}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      <ProviderField {...props} />
      <Field label={text.protocol} errors={errors.protocol}>
        {(control) => (
          <Select
            {...control}
            value={draft.protocol}
            options={protocolIds.map((value) => ({ value, label: text.protocols[value] }))}
            onChange={(event) =>
              change(withProtocol(draft, protocolNamed(event.target.value) ?? draft.protocol))
            }
          />
        )}
      </Field>
      <Field label={text.baseUrl} hint={hint} errors={errors.baseUrl}>
        {(control) => (
          <Input
            {...control}
            type="url"
            autoComplete="off"
            spellCheck={false}
            value={draft.baseUrl}
            onChange={(event) => change({ baseUrl: event.target.value })}
          />
        )}
      </Field>
      {provider !== null && provider.id !== "other" && (
        <ProviderNote provider={provider} protocol={draft.protocol} />
      )}
      <Checkbox
        label={text.enabledLabel}
        checked={draft.enabled}
        onChange={(event) => change({ enabled: event.target.checked })}
      />
    </>
  );
}

/** Choosing a provider fills in its address and protocol; without a choice the host determines it. */
function ProviderField({ draft, change, errors }: FieldsProps) {
  const text = useMessages("adminNodes");
  const found = providerTyped(draft);
  const known = providers.map((provider) => ({ value: provider.id, label: providerName(provider, text) }));
  return (
    <Field
      label={text.provider}
      hint={found === null ? text.providerHint : fill(text.providerFound, { name: found.label })}
      errors={errors.provider}
    >
      {(control) => (
        <Select
          {...control}
          value={draft.provider}
          options={[{ value: "", label: text.providerByHost }, ...known]}
          onChange={(event) => change(withProvider(draft, event.target.value))}
        />
      )}
    </Field>
  );
}

/** The key is write-only; of a stored one only its last characters are known here. */
function KeyFields(props: FieldsProps) {
  const text = useMessages("adminNodes");
  const { node, draft, change, errors } = props;
  const stored = node?.hasApiKey === true;
  return (
    <>
      <Field
        label={text.apiKey}
        hint={stored ? fill(text.apiKeySet, { hint: node.apiKeyHint ?? "" }) : text.apiKeyHint}
        errors={errors.apiKey}
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            spellCheck={false}
            disabled={draft.clearKey}
            value={draft.apiKey}
            onChange={(event) => change({ apiKey: event.target.value })}
          />
        )}
      </Field>
      {stored && (
        <Checkbox
          label={text.apiKeyClear}
          checked={draft.clearKey}
          onChange={(event) => change({ clearKey: event.target.checked, apiKey: "" })}
        />
      )}
    </>
  );
}

function AdvancedFields(props: FieldsProps) {
  const text = useMessages("adminNodes");
  const { draft, change, errors } = props;
  const box = (name: "maxConcurrency" | "proxy", hint: string) => (
    <Field label={text[name]} hint={hint} errors={errors[name]}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          value={draft[name]}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <details className="rounded-md border p-3" open={advanced.some((name) => errors[name])}>
      <summary className="min-h-6 text-sm font-medium">{text.advanced}</summary>
      <div className="mt-3 grid gap-4">
        {box("maxConcurrency", text.maxConcurrencyHint)}
        {box("proxy", text.proxyHint)}
        <Field label={text.headers} hint={text.headersHint} errors={errors.headers}>
          {(control) => (
            <TextArea
              {...control}
              spellCheck={false}
              className="font-mono"
              value={draft.headers}
              onChange={(event) => change({ headers: event.target.value })}
            />
          )}
        </Field>
        <fieldset className="grid gap-3 sm:grid-cols-2">
          <legend className="mb-2 text-sm font-medium">{text.timeouts}</legend>
          {timeoutNames.map((name) => (
            <Field key={name} label={text.timeoutNames[name]} errors={errors[`timeouts.${name}`]}>
              {(control) => (
                <Input
                  {...control}
                  inputMode="numeric"
                  value={draft.timeouts[name]}
                  onChange={(event) =>
                    change({ timeouts: { ...draft.timeouts, [name]: event.target.value } })
                  }
                />
              )}
            </Field>
          ))}
        </fieldset>
      </div>
    </details>
  );
}
