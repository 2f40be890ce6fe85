"use client";

import { useMessages } from "../i18n/provider";
import { CodeBlock } from "../ui/code-block";
import { Tabs } from "../ui/tabs";
import {
  clientNames,
  embeddingClients,
  embeddingSnippet,
  type SnippetValues,
  snippet,
  testedClients,
} from "./snippets";

/** The same first call for every client, side by side. */
export function SnippetTabs(props: SnippetValues) {
  const text = useMessages("common");
  return (
    <Tabs
      label={text.docs}
      tabs={testedClients.map((client) => ({
        value: client,
        label: clientNames[client],
        content: <CodeBlock code={snippet(client, props)} label={clientNames[client]} />,
      }))}
    />
  );
}

/** The same for a model that makes embeddings. */
export function EmbeddingSnippetTabs(props: SnippetValues) {
  const text = useMessages("common");
  return (
    <Tabs
      label={text.docs}
      tabs={embeddingClients.map((client) => ({
        value: client,
        label: clientNames[client],
        content: <CodeBlock code={embeddingSnippet(client, props)} label={clientNames[client]} />,
      }))}
    />
  );
}
