import type { ReactNode } from "react";
import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { SnippetTabs } from "../snippets/snippet-tabs";
import { KEY_VARIABLE } from "../snippets/snippets";
import { PageHeader } from "../ui/card";
import { CodeWords } from "../ui/code-words";
import { ButtonLink } from "../ui/link";
import { AddressTable, ErrorTable } from "./guide-tables";

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
  "addresses",
  "protocols",
  "money",
  "limits",
  "explain",
  "errors",
] as const;

/** The quick start: from an account to the first call. */
export function QuickStart(props: GuideProps) {
  const { text } = props;
  return (
    <div className="mx-auto grid max-w-site gap-8 px-4 py-8 sm:px-6 lg:grid-cols-[minmax(0,1fr)_200px]">
      <div className="min-w-0">
        <PageHeader
          large
          title={text.title}
          lead={text.lead}
          actions={<ButtonLink href="/docs/api">{text.reference}</ButtonLink>}
        />
        <div className="grid gap-8">
          {sections.map((name) => (
            <section key={name} id={name} aria-labelledby={`${name}-title`} className="grid min-w-0 gap-3">
              <h2 id={`${name}-title`} className="text-xl font-semibold">
                {text[name].title}
              </h2>
              {bodyOf(name, props)}
            </section>
          ))}
        </div>
      </div>
      <nav aria-label={text.onThisPage} className="max-lg:hidden">
        <div className="sticky top-20 grid gap-1 text-sm">
          <p className="font-medium">{text.onThisPage}</p>
          {sections.map((name) => (
            <a
              key={name}
              href={`#${name}`}
              className="rounded-sm py-1 text-muted hover:text-fg hover:underline"
            >
              {text[name].title}
            </a>
          ))}
        </div>
      </nav>
    </div>
  );
}

function bodyOf(name: (typeof sections)[number], props: GuideProps): ReactNode {
  const { text } = props;
  switch (name) {
    case "addresses":
      return <AddressTable text={text} publicUrl={props.publicUrl} />;
    case "errors":
      return <Errors text={text} />;
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

function Errors(props: { text: Messages["guide"] }) {
  return (
    <>
      <Prose text={props.text.errors.lead} />
      <ErrorTable text={props.text} />
    </>
  );
}
