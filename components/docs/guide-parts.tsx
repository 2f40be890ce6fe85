import type { ReactNode } from "react";
import { CodeWords } from "../ui/code-words";
import { TextLink } from "../ui/link";
import { type Problem, ProblemTable } from "./guide-tables";

/** A part of a guide with its heading, which an address may name. */
export function GuidePart(props: { id: string; title: string; children: ReactNode }) {
  return (
    <section
      id={props.id}
      aria-labelledby={`${props.id}-title`}
      className="grid min-w-0 scroll-mt-20 gap-3 *:min-w-0"
    >
      <h2 id={`${props.id}-title`} className="text-xl font-semibold">
        {props.title}
      </h2>
      {props.children}
    </section>
  );
}

export function Prose(props: { text: string }) {
  return (
    <p className="prose-width text-lg leading-7 text-muted">
      <CodeWords text={props.text} />
    </p>
  );
}

export function Rules(props: { rules: readonly string[] }) {
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

/** What one may see, with what to do then. */
export function Problems(props: {
  title: string;
  columns: { what: string; help: string };
  problems: readonly Problem[];
}) {
  return <ProblemTable {...props} problems={[...props.problems]} />;
}

/** Links to other guides and to operations of the reference. */
export function Further(props: {
  guides: ReadonlyArray<{ href: string; title: string }>;
  operations: readonly string[];
  operationsLabel: string;
}) {
  return (
    <div className="grid gap-2 text-sm">
      <p className="flex flex-wrap gap-x-6 gap-y-1">
        {props.guides.map(({ href, title }) => (
          <TextLink key={href} href={href}>
            {title}
          </TextLink>
        ))}
      </p>
      {props.operations.length > 0 && (
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-muted">
          {props.operationsLabel}
          {props.operations.map((id) => (
            <TextLink key={id} href={`/docs/api#${id}`} className="font-mono text-xs">
              {id}
            </TextLink>
          ))}
        </p>
      )}
    </div>
  );
}
