import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { SnippetTabs } from "../snippets/snippet-tabs";
import { clientNames, isEditor, KEY_VARIABLE } from "../snippets/snippets";
import { PageHeader } from "../ui/card";
import { CodeBlock } from "../ui/code-block";
import { CodeWords } from "../ui/code-words";
import { ButtonLink, TextLink } from "../ui/link";
import type { Section } from "../ui/section-links";
import { Tabs } from "../ui/tabs";
import { CopyPage } from "./copy-page";
import { guideAnswers } from "./examples/answers";
import { type GuideEntry, GuideFrame } from "./guide-frame";
import { Further, GuidePart, Problems, Prose, Rules } from "./guide-parts";
import { AddressTable, ErrorTable, FieldTables, HeaderTable } from "./guide-tables";
import {
  codeOf,
  furtherOf,
  type GuideName,
  type GuideValues,
  guideEntries,
  guideNames,
  quickStartParts,
  type TaskGuide,
} from "./guides";
import { protocolFields } from "./protocol-fields";

interface GuideProps {
  text: Messages["guide"];
  /** How an editor is set up, as the console's page says it. */
  editors: Messages["connect"]["editors"];
  publicUrl: string;
  model: string;
  embeddingModel: string;
}

/** A guide, or the quick start from an account to the first call, beside the list of all of them. */
export function GuidePage(props: GuideProps & { name: GuideName | null }) {
  const { text, name } = props;
  const entries = guideEntries(text);
  const { guides, search, found, nothingFound, searchFailed, onThisPage } = text;
  const at = name === null ? 0 : 1 + guideNames.indexOf(name);
  return (
    <div className="mx-auto max-w-site px-4 py-8 sm:px-6">
      <PageHeader
        large
        title={name === null ? text.title : text[name].title}
        {...(name === null && { lead: text.lead })}
        actions={
          <>
            <CopyPage href={entries[at]?.href ?? "/docs"} label={text.copyPage} />
            <ButtonLink href="/docs/api">{text.reference}</ButtonLink>
          </>
        }
      />
      <GuideFrame
        text={{ guides, search, found, nothingFound, searchFailed, onThisPage }}
        entries={entries}
        current={entries[at]?.href ?? ""}
        sections={sectionsOf(text, name)}
      >
        {name === null ? (
          <QuickStart {...props} />
        ) : (
          <>
            <Prose text={text[name].lead} />
            {name !== "benchmark" && <Task {...props} name={name} />}
          </>
        )}
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

/** The parts of a page, in the order in which it shows them. */
function sectionsOf(text: Messages["guide"], name: GuideName | null): Section[] {
  if (name === null) return quickStartParts.map((id) => ({ id, title: text[id].title }));
  if (name === "benchmark") return [];
  const { example, answer, rules, problems, more } = text.parts;
  return [
    { id: "example", title: example },
    ...("answer" in text[name] ? [{ id: "answer", title: answer }] : []),
    { id: "rules", title: rules },
    ...(name === "protocols" ? [{ id: "fields", title: text.fields.title }] : []),
    ...(name === "errors" ? [{ id: "codes", title: text.errors.codes }] : []),
    { id: "problems", title: problems },
    { id: "more", title: more },
  ];
}

function valuesOf({ publicUrl: baseUrl, model, embeddingModel }: GuideProps): GuideValues {
  return { baseUrl, model, embeddingModel };
}

function Neighbour(props: { label: string; entry: GuideEntry | undefined }) {
  if (props.entry === undefined) return <span />;
  return <TextLink href={props.entry.href}>{fill(props.label, { title: props.entry.title })}</TextLink>;
}

function QuickStart(props: GuideProps) {
  const { text } = props;
  return quickStartParts.map((part) => (
    <GuidePart key={part} id={part} title={text[part].title}>
      {part === "addresses" ? (
        <AddressTable text={{ addresses: text.addresses }} publicUrl={props.publicUrl} />
      ) : (
        <Prose text={fill(text[part].body, { variable: KEY_VARIABLE })} />
      )}
      {part === "call" && <SnippetTabs baseUrl={props.publicUrl} apiKey={null} model={props.model} />}
    </GuidePart>
  ));
}

/** Example, answer, what to know, what goes wrong, and where to read on: every guide has the same parts. */
function Task(props: GuideProps & { name: TaskGuide }) {
  const { text, name } = props;
  const { parts } = text;
  const guide = text[name];
  const code = name in guideAnswers ? guideAnswers[name as keyof typeof guideAnswers] : null; // it is one of them
  return (
    <>
      <GuidePart id="example" title={parts.example}>
        <Examples {...props} />
      </GuidePart>
      {"answer" in guide && (
        <GuidePart id="answer" title={parts.answer}>
          <Prose text={guide.answer} />
          {code !== null && <CodeBlock code={code} label={parts.answerCode} />}
          {name === "money" && <Prose text={text.money.unit} />}
        </GuidePart>
      )}
      {name === "limits" && <HeaderTable text={{ limits: text.limits, limitHeaders: text.limitHeaders }} />}
      <GuidePart id="rules" title={parts.rules}>
        <Rules rules={guide.rules} />
      </GuidePart>
      {name === "protocols" && (
        <GuidePart id="fields" title={text.fields.title}>
          <Prose text={text.fields.lead} />
          <FieldTables text={{ fields: text.fields }} tables={protocolFields()} />
        </GuidePart>
      )}
      {name === "errors" && (
        <GuidePart id="codes" title={text.errors.codes}>
          <ErrorTable text={{ errors: text.errors }} />
        </GuidePart>
      )}
      <GuidePart id="problems" title={parts.problems}>
        <Problems title={parts.problems} columns={text.problemColumns} problems={guide.problems} />
      </GuidePart>
      <GuidePart id="more" title={parts.more}>
        <Further
          guides={furtherOf[name].guides.map((other) => ({
            href: `/docs/${other}`,
            title: text[other].title,
          }))}
          operations={furtherOf[name].operations}
          operationsLabel={parts.operation}
        />
      </GuidePart>
    </>
  );
}

function Examples(props: GuideProps & { name: TaskGuide }) {
  const { title } = props.text[props.name];
  const all = codeOf(props.name, valuesOf(props), props.text);
  const block = ({ client, code }: (typeof all)[number]) => (
    <div className="grid gap-2">
      {isEditor(client) && (
        <p className="text-sm text-muted">
          <CodeWords text={props.editors[client]} />
        </p>
      )}
      <CodeBlock code={code} label={`${title} · ${clientNames[client]}`} />
    </div>
  );
  const [first] = all;
  if (first !== undefined && all.length === 1) return block(first);
  return (
    <Tabs
      label={title}
      tabs={all.map((one) => ({ value: one.client, label: clientNames[one.client], content: block(one) }))}
    />
  );
}
