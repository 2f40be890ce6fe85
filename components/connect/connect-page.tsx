"use client";

import { CircleCheck, CircleDashed, CircleX, LoaderCircle } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { ErrorPanel } from "../api/error-panel";
import { useShell } from "../api/shell-facts";
import { useGeneratingModels } from "../api/use-generating-models";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { KeyChoice } from "../playground/key-choice";
import { type TabKey, useTabKey } from "../playground/use-tab-key";
import { modelToTry } from "../snippets/model-to-try";
import {
  addressOf,
  type Client,
  clientNames,
  clients,
  isEditor,
  KEY_VARIABLE,
  protocolOfClient,
  snippet,
} from "../snippets/snippets";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Card, PageHeader } from "../ui/card";
import { CodeBlock } from "../ui/code-block";
import { CodeWords } from "../ui/code-words";
import { DataTable } from "../ui/data-table";
import { Field, Select } from "../ui/field";
import { Note } from "../ui/states";
import { CodexCatalogue } from "./codex-catalogue";
import { type CheckRow, useVerification } from "./use-verification";

/** The configuration of a client, and a check that it works. */
export function ConnectPage() {
  const text = useMessages("connect");
  const { publicUrl, webSockets } = useShell();
  const models = useGeneratingModels();
  const tabKey = useTabKey();
  const [url, setUrl] = useQueryStates({
    client: parseAsStringLiteral(clients).withDefault("curl"),
    model: parseAsString,
  });
  const first = models.length === 0 ? "" : modelToTry(models);
  const model = models.find((candidate) => candidate.id === url.model)?.id ?? first;
  const baseUrl = addressOf(protocolOfClient[url.client], publicUrl);
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <div className="grid gap-4">
        <div className="grid gap-3 sm:grid-cols-2 lg:max-w-[640px]">
          <Field label={text.client}>
            {(control) => (
              <Select
                {...control}
                value={url.client}
                options={clients.map((value) => ({ value, label: clientNames[value] }))}
                onChange={(event) =>
                  void setUrl({ client: clients.find((value) => value === event.target.value) ?? null })
                }
              />
            )}
          </Field>
          <Field label={text.model}>
            {(control) => (
              <Select
                {...control}
                value={model}
                options={models.map((value) => ({ value: value.id, label: value.id }))}
                onChange={(event) => void setUrl({ model: event.target.value })}
              />
            )}
          </Field>
        </div>
        <Card title={text.configuration}>
          <div className="grid min-w-0 gap-3">
            <p className="text-sm text-muted">
              <CodeWords
                text={
                  isEditor(url.client)
                    ? text.editors[url.client]
                    : fill(text.configurationLead, { variable: KEY_VARIABLE })
                }
              />
            </p>
            <CodeBlock
              code={snippet(url.client, {
                baseUrl: publicUrl,
                apiKey: null,
                model: model || "MODEL",
                webSockets,
              })}
              label={clientNames[url.client]}
            />
            <p className="text-sm break-all text-muted">
              {text.baseUrl}: <code>{baseUrl}</code>
            </p>
            {url.client === "codex" && <CodexCatalogue />}
          </div>
        </Card>
        <Verification key={`${url.client} ${model}`} client={url.client} model={model} tabKey={tabKey} />
      </div>
    </>
  );
}

function Verification(props: { client: Client; model: string; tabKey: TabKey }) {
  const text = useMessages("connect");
  const format = useFormat();
  const { tabKey } = props;
  const { rows, running, failure, verify } = useVerification(props.client, props.model, tabKey.get);
  const client = clientNames[props.client];
  const failed = rows.filter((row) => row.state === "failed").length;
  const left = rows.filter((row) => row.state === "waiting").length;
  // A refused key leaves checks that are not made.
  const finished = !running && (left === 0 || failed > 0);
  return (
    <Card title={text.verify}>
      <div className="grid min-w-0 gap-4">
        <p className="text-sm text-muted">{fill(text.verifyLead, { client })}</p>
        <KeyChoice tabKey={tabKey} />
        <div>
          <Button variant="primary" disabled={running || props.model === ""} onClick={() => void verify()}>
            {running ? text.running : finished ? text.again : text.run}
          </Button>
        </div>
        {failure !== null && <ErrorPanel error={failure} />}
        <div role="status">
          {finished && (
            <Note tone={failed === 0 ? "success" : "danger"} icon={failed === 0 ? CircleCheck : CircleX}>
              {failed === 0
                ? fill(text.summaryPassed, { count: rows.length, client })
                : left > 0
                  ? text.summaryRefused
                  : plural(text.summaryFailed, failed, format.locale)}
            </Note>
          )}
        </div>
        <Checks rows={rows} />
      </div>
    </Card>
  );
}

const looks = {
  waiting: { tone: "neutral", icon: CircleDashed },
  running: { tone: "info", icon: LoaderCircle },
  passed: { tone: "success", icon: CircleCheck },
  failed: { tone: "danger", icon: CircleX },
} as const;

function Checks(props: { rows: CheckRow[] }) {
  const text = useMessages("connect");
  const format = useFormat();
  const { columns } = text;
  return (
    <DataTable
      caption={text.caption}
      rows={props.rows}
      rowId={(row) => row.id}
      columns={[
        { id: "check", head: columns.check, cell: (row) => text.probes[row.id].name },
        {
          id: "result",
          head: columns.result,
          card: "line",
          cell: (row) => (
            <span className="flex flex-wrap items-center gap-2">
              <Badge {...looks[row.state]}>{text.states[row.state]}</Badge>
              <span className={row.state === "failed" ? "text-danger" : "text-muted"}>{row.detail}</span>
            </span>
          ),
        },
        { id: "time", head: columns.time, end: true, cell: (row) => format.duration(row.durationMs) },
        { id: "cost", head: columns.cost, kind: "request", listed: (row) => row.cost },
      ]}
    />
  );
}
