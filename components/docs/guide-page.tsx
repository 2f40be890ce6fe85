import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { PageHeader } from "../ui/card";
import { ButtonLink, TextLink } from "../ui/link";
import { CopyPage } from "./copy-page";
import { type GuideEntry, GuideFrame } from "./guide-frame";
import { GuideParts, Prose } from "./guide-parts";
import { type Docs, type GuideName, guideEntries, guideNames, guideOf } from "./guides";

/** A guide beside the list of all of them; the first one is the page of the docs itself. */
export function GuidePage(props: {
  name: GuideName;
  docs: Docs;
  /** How an editor is set up, as the console's page says it. */
  editors: Messages["connect"]["editors"];
}) {
  const { name, docs, editors } = props;
  const { text } = docs;
  const entries = guideEntries(docs);
  const { guides, search, found, nothingFound, searchFailed, onThisPage } = text;
  const at = guideNames.indexOf(name);
  const current = entries[at]?.href ?? "/docs";
  const guide = guideOf(name, docs);
  const isFirst = at === 0;
  return (
    <div className="mx-auto max-w-site px-4 py-8 sm:px-6">
      <PageHeader
        large
        title={isFirst ? text.title : guide.title}
        {...(isFirst && { lead: guide.lead })}
        actions={
          <>
            <CopyPage href={current} label={text.copyPage} />
            <ButtonLink href="/docs/api">{text.reference}</ButtonLink>
          </>
        }
      />
      <GuideFrame
        text={{ guides, search, found, nothingFound, searchFailed, onThisPage }}
        entries={entries}
        current={current}
        sections={guide.parts.map(({ id, title }) => ({ id, title }))}
      >
        {!isFirst && <Prose text={guide.lead} />}
        <GuideParts name={name} guide={guide} docs={docs} editors={editors} />
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
