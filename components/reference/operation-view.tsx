"use client";

import { Link2 } from "lucide-react";
import dynamic from "next/dynamic";
import { createContext, type ReactNode, useContext, useState } from "react";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { cn } from "../ui/cn";
import { CodeBlock } from "../ui/code-block";
import { CodeWords } from "../ui/code-words";
import { TextLink } from "../ui/link";
import { asSchema, curlOf, jsonContent, otherContent, type ShownOperation } from "./model";
import { canRun } from "./run";
import { Description, SchemaView } from "./schema-view";

const RunForm = dynamic(() => import("./run-form").then((loaded) => loaded.RunForm));

/** Whether the reader has a session, with which operations can be tried. */
export const SignedInContext = createContext(false);

export const methodTones: Record<string, string> = {
  get: "bg-primary-soft text-primary",
  post: "bg-success-soft text-success",
  patch: "bg-warning-soft text-warning",
  delete: "bg-danger-soft text-danger",
};

/** One operation; its details are drawn when it is opened. */
export function OperationView(props: {
  operation: ShownOperation;
  serverUrl: string;
  open: boolean;
  onToggle: (open: boolean) => void;
}) {
  const text = useMessages("reference");
  const { operation, open } = props;
  const summary = text.summaries[operation.operationId] ?? operation.summary;
  return (
    <article id={operation.operationId} className="scroll-mt-20 rounded-lg border">
      <h3 className="flex items-start gap-1 p-1">
        <button
          type="button"
          data-result
          aria-expanded={open}
          aria-controls={`${operation.operationId}-details`}
          onClick={() => props.onToggle(!open)}
          className="grid min-h-11 min-w-0 flex-1 gap-x-3 gap-y-0.5 rounded-md px-2 py-1.5 text-left hover:bg-hover sm:grid-cols-[64px_minmax(0,1fr)] sm:items-center"
        >
          <span
            className={cn(
              "w-fit rounded-sm px-1.5 py-0.5 font-mono text-xs font-semibold uppercase",
              methodTones[operation.method],
            )}
          >
            {operation.method}
          </span>
          <span className="grid min-w-0">
            <span className="text-sm font-medium wrap-anywhere">{summary}</span>
            <span className="font-mono text-xs font-normal break-all text-muted">{operation.path}</span>
          </span>
        </button>
        <a
          href={`#${operation.operationId}`}
          aria-label={fill(text.link, { name: summary })}
          className="flex size-9 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-fg"
        >
          <Link2 aria-hidden className="size-4" />
        </a>
      </h3>
      <div id={`${operation.operationId}-details`} hidden={!open}>
        {open && <Details operation={operation} serverUrl={props.serverUrl} />}
      </div>
    </article>
  );
}

function Details(props: { operation: ShownOperation; serverUrl: string }) {
  const text = useMessages("reference");
  const { operation } = props;
  const body = jsonContent(operation.requestBody);
  const curl = curlOf(operation, props.serverUrl);
  return (
    <div className="grid gap-6 border-t p-4 xl:grid-cols-2">
      <div className="grid min-w-0 content-start gap-6">
        <div className="grid gap-2 text-sm">
          {operation.description !== undefined && (
            <p>
              <CodeWords text={operation.description} />
            </p>
          )}
          <p className="text-muted">
            {text.callers[operation.caller]}
            {operation.alsoPut && ` · ${text.alsoPut}`}
          </p>
        </div>
        <Parameters operation={operation} />
        {body !== null && (
          <Part title={text.body}>
            <SchemaView schema={body.schema} />
          </Part>
        )}
      </div>
      <div className="grid min-w-0 content-start gap-6">
        <Part title={text.curl}>
          <CodeBlock code={curl} label={text.curl} copyLabel={text.copyCurl} />
        </Part>
        {canRun(operation) && <Run operation={operation} />}
        <Part title={text.answers}>
          <Answers operation={operation} />
        </Part>
      </div>
    </div>
  );
}

/** Opens the form that makes a call, which is loaded then; visitors sign in first where a session is needed. */
function Run({ operation }: { operation: ShownOperation }) {
  const text = useMessages("reference").run;
  const signedIn = useContext(SignedInContext);
  const [open, setOpen] = useState(false);
  if (!signedIn && operation.caller !== "key") {
    const next = encodeURIComponent(`/docs/api#${operation.operationId}`);
    return <TextLink href={`/login?next=${next}`}>{text.signIn}</TextLink>;
  }
  if (open)
    return (
      <Part title={text.open}>
        <RunForm operation={operation} signedIn={signedIn} />
      </Part>
    );
  return (
    <Button className="w-fit" onClick={() => setOpen(true)}>
      {text.open}
    </Button>
  );
}

function Part(props: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-2">
      <h4 className="text-sm font-semibold">{props.title}</h4>
      {props.children}
    </section>
  );
}

function Parameters(props: { operation: ShownOperation }) {
  const text = useMessages("reference");
  const parameters = props.operation.parameters ?? [];
  if (parameters.length === 0) return null;
  const places: Record<string, string> = { path: text.inPath, query: text.inQuery, header: text.inHeader };
  return (
    <Part title={text.parameters}>
      <ul className="grid gap-2">
        {parameters.map((parameter) => (
          <li key={`${parameter.in} ${parameter.name}`} className="grid gap-0.5 border-l-2 pl-3 text-sm">
            <span className="flex flex-wrap items-baseline gap-x-2">
              <code className="font-mono text-xs font-semibold">{String(parameter.name)}</code>
              <span className="text-xs text-muted">{places[String(parameter.in)] ?? ""}</span>
              {parameter.required === true && <span className="text-xs text-danger">{text.required}</span>}
            </span>
            <SchemaView schema={asSchema(parameter.schema) ?? {}} />
            <Description of={parameter} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Answers(props: { operation: ShownOperation }) {
  const text = useMessages("reference");
  return (
    <ul className="grid gap-3">
      {Object.entries(props.operation.responses).map(([status, answer]) => {
        const json = jsonContent(answer);
        const other = otherContent(answer);
        const shown = status.startsWith("2") && json !== null;
        return (
          <li key={status} className="grid min-w-0 gap-2 text-sm">
            <p>
              <span className="tabular font-mono text-xs font-semibold">{status}</span>{" "}
              <span className={status.startsWith("2") ? "" : "font-mono text-xs wrap-anywhere text-muted"}>
                <CodeWords text={String(answer.description)} />
              </span>
            </p>
            {other !== null && (
              <p className="text-muted">
                {fill(text.otherType, { type: other.mediaType, description: other.description })}
              </p>
            )}
            {shown && json.example !== undefined && (
              <CodeBlock code={JSON.stringify(json.example, null, 2)} label={text.example} />
            )}
            {shown && <SchemaView schema={json.schema} />}
          </li>
        );
      })}
    </ul>
  );
}
