"use client";

import { type ReactNode, useRef } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { exampleBaseUrl } from "@/lib/protocols/profiles/provider";
import { providers } from "@/lib/protocols/profiles/providers";
import { nodeProtocolNamed, nodeProtocols, protocolTitles } from "@/lib/protocols/protocol";
import type { NodeView } from "../../api/admin/types";
import { AreaField, CheckField, More, SelectField, TextField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Drawer } from "../../ui/drawer";
import { toast } from "../../ui/toast";
import { useQuestion } from "../../ui/use-question";
import { useAdminCall } from "../use-admin-change";
import { CredentialForm } from "./credential-form";
import { draftOf, lacksKey, type NodeDraft, nodeBody, timeoutNames } from "./node-draft";
import { NodeFormTest } from "./node-form-test";
import {
  isOtherHost,
  nameFor,
  type ProvidedFields,
  presetOf,
  providerName,
  providerTyped,
  withProtocol,
  withProvider,
} from "./node-provider";
import { ProviderNote } from "./provider-note";

/** Creates or changes a node. */
export function NodeSheet(props: { node: NodeView | null; onClose: () => void }) {
  const text = useMessages("adminNodes");
  const { node } = props;
  const title = node === null ? text.createTitle : fill(text.editTitle, { name: node.name });
  return (
    <Drawer onClose={props.onClose} title={title}>
      <NodeForm {...props} />
    </Drawer>
  );
}

function NodeForm(props: { node: NodeView | null; onClose: () => void }) {
  const text = useMessages("adminNodes");
  const common = useMessages("common");
  const call = useAdminCall();
  const keyless = useQuestion<string>();
  const failing = useQuestion<{ name: string; found: ReactNode }>();
  const failure = useRef<ReactNode>(null);
  const { node, onClose } = props;
  return (
    <RecordForm
      {...(node === null
        ? { operation: "POST /api/admin/nodes" as const }
        : { operation: "PATCH /api/admin/nodes/{id}" as const, params: { id: node.id }, record: node })}
      call={call}
      keep={{ name: `node ${node?.id ?? ""}`, secrets: ["apiKey", "credential", "headers", "proxy"] }}
      initial={draftOf(node)}
      toBody={nodeBody}
      onSent={({ name }) => {
        toast.done(fill(text.saved, { name }));
        onClose();
      }}
      confirm={(draft) => {
        if (failure.current !== null) return failing.ask({ name: draft.name, found: failure.current });
        return !lacksKey(draft, node) || keyless.ask(draft.name);
      }}
      submitLabel={node === null ? text.create : common.save}
      onCancel={onClose}
    >
      <MainFields />
      <CredentialForm node={node} />
      <CheckField<NodeDraft> name="enabled" label={text.enabledLabel} />
      <AdvancedFields />
      <NodeFormTest node={node} failure={failure} />
      {failing.open !== null && (
        <ConfirmDialog
          open
          tone="primary"
          onClose={() => failing.answer(false)}
          onConfirm={() => failing.answer(true)}
          title={fill(text.failing.title, { name: failing.open.name })}
          body={failing.open.found}
          action={text.failing.action}
        />
      )}
      {keyless.open !== null && (
        <ConfirmDialog
          open
          tone="primary"
          onClose={() => keyless.answer(false)}
          onConfirm={() => keyless.answer(true)}
          title={fill(text.keyless.title, { name: keyless.open })}
          body={text.keyless.body}
          action={text.keyless.action}
        />
      )}
    </RecordForm>
  );
}

/** What is provided by the chosen provider, and how a choice changes it. */
function useProvided() {
  const { setValue, formState } = useFormContext<NodeDraft>();
  // Once it was sent, what was wrong is looked at again with each change, as at other fields.
  const again = { shouldValidate: formState.isSubmitted };
  const [provider, protocol, baseUrl] = useWatch<NodeDraft, ["provider", "protocol", "baseUrl"]>({
    name: ["provider", "protocol", "baseUrl"],
  });
  function change(part: Partial<ProvidedFields>) {
    if (part.provider !== undefined) setValue("provider", part.provider, again);
    if (part.protocol !== undefined) setValue("protocol", part.protocol, again);
    if (part.baseUrl !== undefined) setValue("baseUrl", part.baseUrl, again);
  }
  return { provided: { provider, protocol, baseUrl }, change };
}

function MainFields() {
  const text = useMessages("adminNodes");
  const { provided, change } = useProvided();
  const preset = presetOf(provided.provider, provided.protocol);
  const example = exampleBaseUrl(provided.protocol);
  const form = /\/v\d\w*$/.test(example) ? "versioned" : "bare";
  const provider = providers.find(({ id }) => id === provided.provider) ?? providerTyped(provided);
  return (
    <>
      <ProviderField />
      <TextField<NodeDraft> name="name" label={text.name} hint={text.nameHint} />
      <SelectField<NodeDraft>
        name="protocol"
        label={text.protocol}
        options={nodeProtocols.map((value) => ({ value, label: protocolTitles[value] }))}
        onPick={(value) => change(withProtocol(provided, nodeProtocolNamed(value) ?? provided.protocol))}
      />
      <TextField<NodeDraft>
        name="baseUrl"
        label={text.baseUrl}
        hint={
          preset === "" && example === ""
            ? undefined
            : fill(preset === "" ? text.baseUrlHint[form] : text.baseUrlPreset, { url: preset || example })
        }
        type="url"
      />
      {provider !== null && provider.id !== "other" && (
        <ProviderNote provider={provider} protocol={provided.protocol} baseUrl={provided.baseUrl} />
      )}
    </>
  );
}

/** Choosing a provider fills in its address and protocol; without a choice the host determines it. */
function ProviderField() {
  const text = useMessages("adminNodes");
  const { provided, change } = useProvided();
  const { getValues, setValue, formState } = useFormContext<NodeDraft>();
  const found = providerTyped(provided);
  const known = providers.map((provider) => ({ value: provider.id, label: providerName(provider, text) }));
  return (
    <SelectField<NodeDraft>
      name="provider"
      label={text.provider}
      hint={found === null ? text.providerHint : fill(text.providerFound, { name: found.label })}
      options={[{ value: "", label: text.providerByHost }, ...known]}
      onPick={(value) => {
        const part = withProvider(provided, value);
        change(part);
        if (isOtherHost(provided.baseUrl, part.baseUrl)) setValue("apiKey", "");
        if (formState.defaultValues?.name !== "") return;
        const name = nameFor(value, getValues("name"), provided.provider);
        setValue("name", name, { shouldValidate: formState.isSubmitted });
      }}
    />
  );
}

function AdvancedFields() {
  const text = useMessages("adminNodes");
  return (
    <More label={text.advanced}>
      <TextField<NodeDraft>
        name="maxConcurrency"
        label={text.maxConcurrency}
        hint={text.maxConcurrencyHint}
        inputMode="numeric"
      />
      <TextField<NodeDraft> name="proxy" label={text.proxy} hint={text.proxyHint} />
      <AreaField<NodeDraft> code name="ca" label={text.ca} hint={text.caHint} />
      <AreaField<NodeDraft>
        code
        name="headers"
        label={text.headers}
        hint={text.headersHint}
        rule={text.headersRule}
      />
      <fieldset className="grid gap-3 sm:grid-cols-2">
        <legend className="mb-2 text-sm font-medium">{text.timeouts}</legend>
        {timeoutNames.map((name) => (
          <TextField<NodeDraft>
            key={name}
            name={`timeouts.${name}`}
            label={text.timeoutNames[name]}
            inputMode="numeric"
          />
        ))}
      </fieldset>
    </More>
  );
}
