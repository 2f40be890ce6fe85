"use client";

import { useMutation } from "@tanstack/react-query";
import { CircleCheck, CircleMinus, CircleX, type LucideIcon } from "lucide-react";
import { type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import type { ApiInput } from "@/lib/api/routes";
import type { DraftTest, NodeTestResult, NodeView } from "../../api/admin/types";
import { ApiError, callApi } from "../../api/client";
import { ErrorPanel } from "../../api/error-panel";
import { ShownFields } from "../../forms/fields";
import { placeErrors } from "../../forms/place-errors";
import { changesOf } from "../../forms/use-api-form";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { Field, useReadableErrors } from "../../ui/field";
import { Dimmed, Note } from "../../ui/states";
import { ModelInput, ProblemWords, useHintWords, useModelsHint } from "./model-choice";
import { draftOf, type NodeDraft, nodeBody } from "./node-draft";

type TestBody = ApiInput<"POST /api/admin/nodes/test">["body"];

/**
 * Tests a node as it stands in the form, before it is saved. The server checks what is typed. `failure` becomes what the
 * test of what is typed now has found, where that is a failure.
 */
export function NodeFormTest(props: { node: NodeView | null; failure: RefObject<ReactNode> }) {
  const text = useMessages("adminNodes");
  const { node, failure } = props;
  const [model, setModel] = useState("");
  // The values of a form are whole.
  const draft = useWatch() as NodeDraft;
  const body = testedBody(draft, node);
  const ready = draft.baseUrl.trim() !== "";
  const fields = JSON.stringify([body, model.trim()]);
  const test = useMutation({
    mutationFn: async (tested: string) => {
      const asked = model.trim() === "" ? {} : { model: model.trim() };
      const result = await callApi("POST /api/admin/nodes/test", { body: { ...body, ...asked } });
      return { tested, result };
    },
  });
  const { data } = test;
  useErrorsAtFields(test.error, fields);
  const refused = test.error instanceof ApiError && test.variables === fields ? test.error.fields : {};
  const result = useShownResult(test.status);
  const listed = data?.result.problem === null ? data.result : undefined;
  const hint = useModelsHint({ data: listed, isFetching: false, isError: false }, draft.baseUrl);
  const hasKey = draft.apiKey.trim() !== "" || (node?.hasApiKey === true && !draft.clearKey);
  const found = data && <DraftResult result={data.result} hasKey={hasKey} baseUrl={draft.baseUrl} />;
  useEffect(() => {
    failure.current = data?.tested === fields && hasFailed(data.result) ? found : null;
  });
  return (
    <section className="grid gap-3 rounded-md border p-3">
      <h3 className="text-sm font-medium">{text.formTest.title}</h3>
      <Field label={text.formTest.model} hint={hint ?? text.formTest.modelHint} errors={refused.model}>
        {(control) => (
          <ModelInput {...control} models={data?.result.models ?? []} value={model} onChange={setModel} />
        )}
      </Field>
      <Button
        className="justify-self-start"
        disabled={!ready || test.isPending}
        onClick={() => test.mutate(fields)}
      >
        {test.isPending ? text.testRunning : text.formTest.run}
      </Button>
      {!ready && <p className="text-xs text-muted">{text.formTest.incomplete}</p>}
      <div ref={result} aria-live="polite" className="grid scroll-mb-20 gap-2 empty:hidden">
        {test.isError && <TestError error={test.error} />}
        {data !== undefined && !test.isPending && (
          <Dimmed active={data.tested !== fields}>
            {found}
            {data.tested !== fields && <p className="text-xs text-muted">{text.formTest.old}</p>}
          </Dimmed>
        )}
      </div>
    </section>
  );
}

/** Whether calls to the node would fail; a node without a list of models may answer. */
function hasFailed({ reachable, authenticated, problem, test }: DraftTest): boolean {
  return !reachable || authenticated === false || test?.ok === false || (problem ?? "missing") !== "missing";
}

/** What the form says about how the node is called; what is stored and untouched stands in for the rest. */
function testedBody(draft: NodeDraft, node: NodeView | null): TestBody {
  const { name, enabled, maxConcurrency, ...body }: Record<string, unknown> =
    node === null ? nodeBody(draft) : changesOf(nodeBody(draft), nodeBody(draftOf(node)));
  // The server checks the members.
  return { ...body, ...(node !== null && { nodeId: node.id }) } as TestBody;
}

/** Marks the fields that a test has refused, until the form changes. */
function useErrorsAtFields(error: Error | null, typed: string) {
  const { setError, clearErrors } = useFormContext();
  const shown = useContext(ShownFields);
  const marked = useRef<{ names: string[]; typed: string }>({ names: [], typed });
  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    const placed = Object.entries(placeErrors(error.fields, shown)).filter(([name]) => shown.has(name));
    for (const [name, messages] of placed) setError(name, { type: "api", message: messages.join("\n") });
    marked.current.names = placed.map(([name]) => name);
  }, [error, shown, setError]);
  useEffect(() => {
    if (marked.current.typed === typed) return;
    clearErrors(marked.current.names);
    marked.current = { names: [], typed };
  }, [typed, clearErrors]);
}

/** What a test found comes into view, above the row of buttons. */
function useShownResult(status: string) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (status === "success" || status === "error") box.current?.scrollIntoView({ block: "nearest" });
  }, [status]);
  return box;
}

/** What is wrong stands at its field, and here only where it has none that is shown. */
function TestError(props: { error: Error }) {
  const text = useMessages("adminNodes");
  const shown = useContext(ShownFields);
  const fields = props.error instanceof ApiError ? Object.entries(props.error.fields) : [];
  if (fields.length === 0) return <ErrorPanel error={props.error} />;
  const others = fields.filter(
    ([name, messages]) =>
      name !== "model" && !Object.keys(placeErrors({ [name]: messages }, shown)).every((at) => shown.has(at)),
  );
  return (
    <Note tone="danger" icon={CircleX}>
      {others.length < fields.length && <p>{text.formTest.refused}</p>}
      <ul className="empty:hidden">
        {others.map(([name, messages]) => (
          <Refused key={name} name={name} messages={messages} />
        ))}
      </ul>
    </Note>
  );
}

/** A refused field in the words of the form. */
function Refused(props: { name: string; messages: string[] }) {
  const text = useMessages("adminNodes");
  const common = useMessages("common");
  const [field = "", member] = props.name.split(".");
  const labels: Record<string, string> = {
    baseUrl: text.baseUrl,
    apiKey: text.apiKey,
    credential: text.credential.kind,
    proxy: text.proxy,
    protocol: text.protocol,
    provider: text.provider,
    headers: text.headers,
    timeouts: text.timeouts,
    model: text.formTest.model,
  };
  const members: Record<string, string> = { ...text.timeoutNames, ...text.credential.fields };
  const label = labels[field] ?? field;
  const readable = useReadableErrors(null, field === "headers" ? text.headersRule : undefined);
  return (
    <li>
      {fill(common.labelled, {
        label: member === undefined ? label : `${label} – ${members[member] ?? member}`,
        value: props.messages.map(readable).join(" "),
      })}
    </li>
  );
}

const looks = {
  good: { icon: CircleCheck, color: "text-success" },
  bad: { icon: CircleX, color: "text-danger" },
  open: { icon: CircleMinus, color: "text-muted" },
} satisfies Record<string, { icon: LucideIcon; color: string }>;

function Finding(props: { look: keyof typeof looks; children: ReactNode }) {
  const { icon: Icon, color } = looks[props.look];
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${color}`} />
      <span className="min-w-0 wrap-anywhere">{props.children}</span>
    </li>
  );
}

/** What the model that was asked has answered. */
function Answered({ test }: { test: NodeTestResult }) {
  const { formTest: words } = useMessages("adminNodes");
  const format = useFormat();
  const { upstreamModel: model, sample, dimensions } = test;
  const duration = format.duration(test.totalMs);
  if (dimensions !== null)
    return fill(words.embedded, { model, duration, count: format.countFull(dimensions) });
  const said = fill(words.answered, { model, duration, sample: sample ?? "" });
  return test.streamed ? `${said}${format.gap}${words.streamed}` : said;
}

/** How far a credential of a cloud came: its token, and what the node says to it. */
function AccessFindings({ access }: { access: NonNullable<DraftTest["access"]> }) {
  const { credential: words } = useMessages("adminNodes");
  const codes: Record<string, string> = words.codes;
  const principal = access.principal ?? access.kind;
  if (access.token !== "ok") {
    const why = codes[access.token] ?? fill(words.test.code, { code: access.token });
    return <Finding look="bad">{fill(words.test.noToken, { principal, why })}</Finding>;
  }
  const said = { true: words.test.accepted, false: words.test.refused, null: words.test.unknown } as const;
  return (
    <>
      <Finding look="good">{fill(words.test.token, { principal })}</Finding>
      <Finding look={acceptance[`${access.accepted}`]}>{said[`${access.accepted}`]}</Finding>
    </>
  );
}

const acceptance = { true: "good", false: "bad", null: "open" } as const;

/** What a test found: reachable, key or credential, list of models, answer, what may have to be changed. */
function DraftResult(props: { result: DraftTest; hasKey: boolean; baseUrl: string }) {
  const text = useMessages("adminNodes");
  const words = text.formTest;
  const format = useFormat();
  const { result, hasKey, baseUrl } = props;
  const { test, authenticated, problem, error, access } = result;
  // A refused key is the problem, and that of the model that was asked: it is told once.
  const isKey = authenticated === false && problem !== null;
  const listProblem = problem && <ProblemWords problem={problem} error={error} baseUrl={baseUrl} />;
  const repeats = problem !== null && test?.problem === problem;
  if (access !== null && access.token !== "ok")
    return (
      <ul className="grid gap-1.5 text-sm">
        <AccessFindings access={access} />
      </ul>
    );
  if (!result.reachable)
    return (
      <ul className="grid gap-1.5 text-sm">
        <Finding look="bad">{listProblem ?? text.noAnswer}</Finding>
      </ul>
    );
  const keyWords = hasKey ? words.ofKey : words.withoutKey;
  return (
    <ul className="grid gap-1.5 text-sm">
      <Finding look="good">{fill(words.reachable, { duration: format.duration(result.headersMs) })}</Finding>
      {access !== null && <AccessFindings access={access} />}
      {access === null && (
        <Finding look={acceptance[`${authenticated}`]}>
          {hasKey && isKey ? listProblem : keyWords[`${authenticated}`]}
        </Finding>
      )}
      {problem === null && (
        <Finding look="good">{plural(words.listed, result.models.length, format.locale)}</Finding>
      )}
      {problem !== null && !(isKey && access === null) && (
        <Finding look={problem === "missing" ? "open" : "bad"}>
          {problem === "missing" ? text.listMissing : listProblem}
        </Finding>
      )}
      {test !== null && !repeats && (
        <Finding look={test.ok ? "good" : "bad"}>
          {test.problem === null ? (
            <Answered test={test} />
          ) : (
            <ProblemWords
              problem={test.problem}
              error={test.error}
              baseUrl={baseUrl}
              within={fill(words.notAnswered, { model: test.upstreamModel, words: "{words}" })}
            />
          )}
        </Finding>
      )}
      {test?.ok !== true && <HintFinding hint={test?.hint ?? result.hint} />}
    </ul>
  );
}

/** What may have to be changed. */
function HintFinding({ hint }: { hint: DraftTest["hint"] }) {
  const words = useHintWords(hint);
  return words === null ? null : <Finding look="open">{words}</Finding>;
}
