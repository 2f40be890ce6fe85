"use client";

import { ExternalLink } from "lucide-react";
import type { ProviderFact } from "@/lib/protocols/profiles/profile";
import type { Provider } from "@/lib/protocols/profiles/providers";
import type { NodeProtocol } from "@/lib/protocols/protocol";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useMessages } from "../../i18n/provider";
import { CodeWords } from "../../ui/code-words";
import { Note } from "../../ui/states";
import { providerName } from "./node-provider";

type Words = Messages["adminNodes"]["quirks"];

/** What is done differently for a provider, one sentence each. */
export function quirksOf(provider: Provider, protocol: NodeProtocol, words: Words): string[] {
  const { credential } = provider.apis[protocol] ?? {};
  const header = credential === "authorization" ? "Authorization: Bearer" : credential;
  const facts = (provider.facts ?? []).filter((fact) => fact.protocol === protocol);
  const query = Object.entries(provider.query ?? {}).map(([name, { neededBelow }]) =>
    fill(words.query, { name, path: neededBelow }),
  );
  const notes: Record<string, readonly string[]> = words.of;
  return [
    ...(header === undefined ? [] : [fill(words.credential, { header })]),
    ...query,
    ...facts.flatMap((fact) => factWords(fact, words)),
    ...(notes[provider.id] ?? []),
  ];
}

function factWords({ models, set }: ProviderFact, words: Words): string[] {
  const { refusedFields = [] } = set;
  const told = [
    ...(refusedFields.length === 0 ? [] : [fill(words.refused, { fields: refusedFields.join(", ") })]),
    ...(set.reasoningSwitch === undefined ? [] : [fill(words.reasoning, { field: set.reasoningSwitch })]),
    ...(set.imageUrl === false ? [words.imageData] : []),
    ...(set.vendorHeaders === true ? [words.vendorHeaders] : []),
  ];
  return models === undefined ? told : told.map((sentence) => fill(words.someModels, { sentence }));
}

/** What the gateway does differently for the provider of a node, and where that is documented. */
export function ProviderNote(props: { provider: Provider; protocol: NodeProtocol; baseUrl: string }) {
  const text = useMessages("adminNodes");
  const { provider, protocol, baseUrl } = props;
  // Addresses without encryption are those of the own machine and network; others are refused as well.
  const isLocal = /^\s*http:/i.test(baseUrl);
  const refused =
    useRead("GET /api/admin/settings", {}, { enabled: isLocal }).data?.allowPrivateUpstreams === false &&
    isLocal;
  const name = providerName(provider, text);
  const quirks = quirksOf(provider, protocol, text.quirks);
  return (
    <Note tone={refused ? "warning" : "info"}>
      {refused && (
        <p className="mb-2">
          <CodeWords text={fill(text.quirks.private, { name })} />
        </p>
      )}
      <p className={quirks.length === 0 ? undefined : "font-medium"}>
        {quirks.length === 0 ? fill(text.quirks.none, { name }) : fill(text.quirks.title, { name })}
      </p>
      {quirks.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {quirks.map((quirk) => (
            <li key={quirk}>{quirk}</li>
          ))}
        </ul>
      )}
      {provider.docs !== "" && (
        <a
          href={provider.docs}
          target="_blank"
          rel="noreferrer"
          className="mt-1 inline-flex min-h-6 items-center gap-1 rounded-sm text-primary underline underline-offset-2 hover:no-underline"
        >
          {fill(text.quirks.docs, { name })}
          <ExternalLink aria-hidden className="size-3.5" />
        </a>
      )}
    </Note>
  );
}
