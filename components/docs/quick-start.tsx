import type { ReactNode } from "react";
import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { SnippetTabs } from "../snippets/snippet-tabs";
import { clientNames, KEY_VARIABLE } from "../snippets/snippets";
import { PageHeader } from "../ui/card";
import { CodeBlock } from "../ui/code-block";
import { CodeWords } from "../ui/code-words";
import { ButtonLink } from "../ui/link";
import { Tabs } from "../ui/tabs";
import { guideExamples } from "./examples/examples";
import type { Guide } from "./examples/guide";
import { GuideSections } from "./guide-sections";
import { AddressTable, ErrorTable, HeaderTable } from "./guide-tables";

interface GuideProps {
  text: Messages["guide"];
  publicUrl: string;
  model: string;
}

const sections = [
  "account",
  "key",
  "call",
  "see",
  "streaming",
  "tools",
  "json",
  "images",
  "errors",
  "limits",
  "money",
  "addresses",
  "protocols",
  "explain",
  "benchmark",
] as const;

/** The quick start, from an account to the first call, and a guide for each thing that a client does. */
export function QuickStart(props: GuideProps) {
  const { text } = props;
  return (
    <div className="mx-auto max-w-site px-4 py-8 sm:px-6">
      <PageHeader
        large
        title={text.title}
        lead={text.lead}
        actions={<ButtonLink href="/docs/api">{text.reference}</ButtonLink>}
      />
      <GuideSections
        text={text}
        sections={sections.map((id) => ({ id, title: text[id].title, body: bodyOf(id, props) }))}
      />
    </div>
  );
}

function bodyOf(name: (typeof sections)[number], props: GuideProps): ReactNode {
  const { text } = props;
  switch (name) {
    case "addresses":
      return <AddressTable text={text} publicUrl={props.publicUrl} />;
    case "errors":
      return (
        <>
          <Prose text={text.errors.lead} />
          <Examples guide="errors" {...props} />
          <ErrorTable text={text} />
        </>
      );
    case "limits":
      return (
        <>
          <Prose text={text.limits.body} />
          <HeaderTable text={text} />
          <Examples guide="limits" {...props} />
        </>
      );
    case "money":
      return (
        <>
          <Prose text={text.money.body} />
          <Prose text={text.money.unit} />
          <Examples guide="money" {...props} />
          <Prose text={text.money.receipt} />
        </>
      );
    case "streaming":
    case "tools":
    case "json":
    case "images":
      return (
        <>
          <Prose text={text[name].body} />
          <Examples guide={name} {...props} />
        </>
      );
    case "call":
      return (
        <>
          <Prose text={fill(text.call.body, { variable: KEY_VARIABLE })} />
          <SnippetTabs baseUrl={props.publicUrl} apiKey={null} model={props.model} />
        </>
      );
    default:
      return <Prose text={text[name].body} />;
  }
}

function Prose(props: { text: string }) {
  return (
    <p className="prose-width text-lg leading-7 text-muted">
      <CodeWords text={props.text} />
    </p>
  );
}

function Examples(props: GuideProps & { guide: Guide }) {
  const { guide, publicUrl: baseUrl, model } = props;
  const examples = guideExamples(guide, { baseUrl, model });
  const { title } = props.text[guide];
  return (
    <Tabs
      label={title}
      tabs={examples.map(({ client, code }) => ({
        value: client,
        label: clientNames[client],
        content: <CodeBlock code={code} label={`${title} · ${clientNames[client]}`} />,
      }))}
    />
  );
}
