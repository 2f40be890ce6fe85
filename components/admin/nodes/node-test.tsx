"use client";

import { useMutation } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { useState } from "react";
import type { NodeTestResult, NodeView } from "../../api/admin/types";
import { callApi } from "../../api/client";
import { ErrorPanel } from "../../api/error-panel";
import { useRead } from "../../api/use-read";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { Facts } from "../../ui/card";
import { Field } from "../../ui/field";
import { Note } from "../../ui/states";
import { ModelInput, ProblemWords, useHintWords, useModelsHint } from "./model-choice";

/** Sends a test request to a node and shows the result. */
export function NodeTest(props: { node: NodeView; isFirst: boolean }) {
  const text = useMessages("adminNodes");
  const { node } = props;
  const [model, setModel] = useState(node.models[0]?.upstreamModel ?? "");
  const [wanted, setWanted] = useState(false);
  const list = useRead(
    "GET /api/admin/nodes/{id}/models",
    { params: { id: wanted ? node.id : "" } },
    { enabled: wanted },
  );
  const hint = useModelsHint(list, node.baseUrl);
  const listed = list.data?.models ?? [];
  const served = [...new Set(node.models.map(({ upstreamModel }) => upstreamModel))]
    .filter((id) => !listed.some((one) => one.id === id))
    .map((id) => ({ id, name: null, kind: "generation" as const, contextWindow: null }));
  const test = useMutation({
    mutationFn: (upstreamModel: string) => {
      // The server knows what the models that the node serves make of it.
      const isServed = node.models.some((one) => one.upstreamModel === upstreamModel);
      const kind = isServed ? undefined : listed.find(({ id }) => id === upstreamModel)?.kind;
      const body = { model: upstreamModel, ...(kind && { kind }) };
      return callApi("POST /api/admin/nodes/{id}/test", { params: { id: node.id }, body });
    },
  });
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (model.trim() !== "") test.mutate(model.trim());
      }}
    >
      <Field label={text.testModel} hint={[text.testHint, hint].join(" ").trim()}>
        {(control) => (
          <ModelInput
            {...control}
            required
            data-first-focus={props.isFirst || undefined}
            models={[...served, ...listed]}
            value={model}
            onChange={setModel}
            onFocus={() => setWanted(true)}
          />
        )}
      </Field>
      <Button type="submit" disabled={test.isPending || model.trim() === ""} className="justify-self-start">
        {test.isPending ? text.testRunning : text.testRun}
      </Button>
      <div aria-live="polite" className="empty:hidden">
        {test.isError && <ErrorPanel error={test.error} />}
        {test.data !== undefined && !test.isPending && (
          <TestResult result={test.data} baseUrl={node.baseUrl} />
        )}
      </div>
    </form>
  );
}

function TestResult(props: { result: NodeTestResult; baseUrl: string }) {
  const text = useMessages("adminNodes");
  const format = useFormat();
  const { result } = props;
  const hint = useHintWords(result.hint);
  return (
    <Note tone={result.ok ? "success" : "danger"} icon={result.ok ? CircleCheck : CircleX}>
      <p className="mb-2 font-medium">
        {result.ok ? (result.streamed ? text.testStreamed : text.testOk) : text.testFailed}
      </p>
      {result.problem !== null && (
        <p className="mb-2">
          <ProblemWords problem={result.problem} error={result.error} baseUrl={props.baseUrl} />
        </p>
      )}
      {hint !== null && <p className="mb-2">{hint}</p>}
      <Facts
        rows={[
          [text.upstreamModel, <code key="model">{result.upstreamModel}</code>],
          [text.testStatus, result.status ?? text.noAnswer],
          [text.testHeaders, format.duration(result.headersMs)],
          [text.testTotal, format.duration(result.totalMs)],
          ...(result.sample === null ? [] : [[text.testSample, result.sample] as [string, string]]),
          ...(result.dimensions === null
            ? []
            : [[text.testDimensions, format.countFull(result.dimensions)] as [string, string]]),
        ]}
      />
    </Note>
  );
}
