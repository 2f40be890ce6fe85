import type { Messages } from "../i18n/messages";
import { SnippetTabs } from "../snippets/snippet-tabs";
import { clientNames, isEditor } from "../snippets/snippets";
import { cn } from "../ui/cn";
import { CodeBlock } from "../ui/code-block";
import { CodeWords } from "../ui/code-words";
import { TextLink } from "../ui/link";
import { Tabs } from "../ui/tabs";
import { guideAnswers } from "./examples/answers";
import type { Guide, GuideBlock, GuidePart, Insert } from "./guide-files";
import { FieldTables, GuideTable } from "./guide-tables";
import { codeOf, type Docs, type GuideName } from "./guides";
import { protocolFields } from "./protocol-fields";

interface GuideProps {
  name: GuideName;
  guide: Guide;
  docs: Docs;
  /** How an editor is set up, as the console's page says it. */
  editors: Messages["connect"]["editors"];
}

/** The parts of a guide with their headings, which an address may name. */
export function GuideParts(props: GuideProps) {
  return props.guide.parts.map((part) => (
    <section
      key={part.id}
      id={part.id}
      aria-labelledby={`${part.id}-title`}
      className="grid min-w-0 scroll-mt-20 gap-3 *:min-w-0"
    >
      <h2 id={`${part.id}-title`} className="text-xl font-semibold">
        {part.title}
      </h2>
      <Blocks {...props} part={part} />
    </section>
  ));
}

export function Prose(props: { text: string }) {
  return (
    <p className="prose-width text-lg leading-7 text-muted">
      <CodeWords text={props.text} />
    </p>
  );
}

function Blocks(props: GuideProps & { part: GuidePart }) {
  const { blocks } = props.part;
  // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a file have no other name
  return blocks.map((block, index) => <Block key={index} {...props} block={block} />);
}

function Block(props: GuideProps & { part: GuidePart; block: GuideBlock }) {
  const { block, part, guide } = props;
  switch (block.kind) {
    case "text":
      return <Prose text={block.text} />;
    case "list":
      return <Rules rules={block.items} />;
    case "table":
      return (
        <GuideTable
          part={part.id}
          caption={part.id === "example" ? guide.title : part.title}
          head={block.head}
          rows={block.rows}
        />
      );
    case "links":
      return <Links {...block} />;
    case "insert":
      return <Inserted {...props} insert={block.insert} />;
  }
}

function Rules(props: { rules: readonly string[] }) {
  return (
    <ul className="prose-width grid list-disc gap-2 pl-5 leading-6">
      {props.rules.map((rule) => (
        <li key={rule}>
          <CodeWords text={rule} />
        </li>
      ))}
    </ul>
  );
}

/** Links to other guides, or below a label to operations of the reference. */
function Links(props: { label: string; links: ReadonlyArray<{ href: string; title: string }> }) {
  const { label, links } = props;
  return (
    <p
      className={cn(
        "flex flex-wrap gap-y-1 text-sm",
        label === "" ? "gap-x-6" : "items-baseline gap-x-4 text-muted",
      )}
    >
      {label}
      {links.map(({ href, title }) => (
        <TextLink key={href} href={href} {...(label !== "" && { className: "font-mono text-xs" })}>
          {title}
        </TextLink>
      ))}
    </p>
  );
}

/** What depends on the gateway, or is the same in each language. */
function Inserted(props: GuideProps & { part: GuidePart; insert: Insert }) {
  const { docs, name, part } = props;
  const { text, baseUrl, model } = docs;
  switch (props.insert) {
    case "example":
      return <Examples {...props} />;
    case "answer":
      return <CodeBlock code={guideAnswers[name] ?? ""} label={text.answerCode} />;
    case "call":
      return <SnippetTabs baseUrl={baseUrl} apiKey={null} model={model} />;
    case "fields":
      return <FieldTables title={part.title} text={text.fields} tables={protocolFields()} />;
  }
}

function Examples({ name, guide, docs, editors }: GuideProps) {
  const all = codeOf(name, docs);
  const block = ({ client, code }: (typeof all)[number]) => (
    <div className="grid gap-2">
      {isEditor(client) && (
        <p className="text-sm text-muted">
          <CodeWords text={editors[client]} />
        </p>
      )}
      <CodeBlock code={code} label={`${guide.title} · ${clientNames[client]}`} />
    </div>
  );
  const [first] = all;
  if (first !== undefined && all.length === 1) return block(first);
  return (
    <Tabs
      label={guide.title}
      tabs={all.map((one) => ({ value: one.client, label: clientNames[one.client], content: block(one) }))}
    />
  );
}
