import type { ReactNode } from "react";
import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { SnippetTabs } from "../snippets/snippet-tabs";
import { clientNames, KEY_VARIABLE } from "../snippets/snippets";
import { PageHeader } from "../ui/card";
import { CodeBlock } from "../ui/code-block";
import { CodeWords } from "../ui/code-words";
import { ButtonLink, TextLink } from "../ui/link";
import { Tabs } from "../ui/tabs";
import { guideExamples } from "./examples/examples";
import type { Guide } from "./examples/guide";
import { type GuideEntry, GuideFrame } from "./guide-frame";
import { AddressTable, ErrorTable, HeaderTable } from "./guide-tables";
import { type GuideName, guideEntries, guideNames, quickStartParts } from "./guides";

interface GuideProps {
  text: Messages["guide"];
  publicUrl: string;
  model: string;
}

/** A guide, or the quick start from an account to the first call, beside the list of all of them. */
export function GuidePage(props: GuideProps & { name: GuideName | null }) {
  const { text, name, publicUrl: baseUrl, model } = props;
  const entries = guideEntries(text, { baseUrl, model });
  const { guides, search, found, nothingFound } = text;
  const at = name === null ? 0 : 1 + guideNames.indexOf(name);
  return (
    <div className="mx-auto max-w-site px-4 py-8 sm:px-6">
      <PageHeader
        large
        title={name === null ? text.title : text[name].title}
        {...(name === null && { lead: text.lead })}
        actions={<ButtonLink href="/docs/api">{text.reference}</ButtonLink>}
      />
      <GuideFrame
        text={{ guides, search, found, nothingFound }}
        entries={entries}
        current={entries[at]?.href ?? ""}
      >
        {name === null
          ? quickStartParts.map((part) => (
              <section key={part} id={part} aria-labelledby={`${part}-title`} className="grid min-w-0 gap-3">
                <h2 id={`${part}-title`} className="text-xl font-semibold">
                  {text[part].title}
                </h2>
                {bodyOf(part, props)}
              </section>
            ))
          : bodyOf(name, props)}
        <nav
          aria-label={text.neighbours}
          className="flex flex-wrap justify-between gap-x-6 gap-y-2 border-t pt-4 text-sm"
        >
          <Neighbour label={text.previous} entry={entries[at - 1]} />
          <Neighbour label={text.next} entry={entries[at + 1]} />
        </nav>
      </GuideFrame>
    </div>
  );
}

function Neighbour(props: { label: string; entry: GuideEntry | undefined }) {
  if (props.entry === undefined) return <span />;
  return <TextLink href={props.entry.href}>{fill(props.label, { title: props.entry.title })}</TextLink>;
}

function bodyOf(name: GuideName | (typeof quickStartParts)[number], props: GuideProps): ReactNode {
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
    case "protocols":
    case "explain":
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
