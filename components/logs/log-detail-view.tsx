"use client";

import type { ReactNode } from "react";
import { AccountLink } from "../api/admin/account-link";
import type { AdminLogDetail, LogDetail } from "../api/types";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import type { Format } from "../i18n/format";
import { useKeyName } from "../i18n/key-name";
import type { Messages } from "../i18n/messages";
import { useModelName } from "../i18n/model-name";
import { useFormat, useMessages } from "../i18n/provider";
import { Facts } from "../ui/card";
import { CopyButton } from "../ui/copy-button";
import { resultOf, resultText } from "./attempt-text";
import { outcomeOf } from "./choices";
import { useClientNames } from "./client-name";
import type { CountedName } from "./counted-filter";
import { ErrorMessage } from "./error-message";
import { LogStatus } from "./log-status";
import { Narrowing } from "./narrowing";
import { ReceiptView } from "./receipt-view";
import { RefusalReason } from "./refusal-reason";
import { warningText } from "./warning-text";
import { Waterfall } from "./waterfall";

/** A summary of a request, then all its details. */
export function LogDetailView({ entry }: { entry: LogDetail | AdminLogDetail }) {
  const all = useMessages("logs");
  const text = all.detail;
  const format = useFormat();
  const model = useModelName()(entry.model);
  const key = `${useKeyName()(entry.tokenName)} (${entry.keyPrefix}…)`;
  return (
    <>
      <Headline entry={entry} />
      {entry.errorCode !== null && <RefusalReason entry={entry} />}
      <Section title={text.summary}>
        <Facts
          rows={[
            [text.time, `${format.dateTime(entry.createdAt)} ${format.zoneLabel()}`],
            [
              text.model,
              <Narrowing key="model" filter="model" value={entry.model} name={model}>
                <code>{model}</code>
              </Narrowing>,
            ],
            ...rowsOfAdmins(entry, { account: text.user, node: all.columns.node }),
            [
              text.key,
              <Narrowing key="key" filter="key" value={entry.tokenId} name={key}>
                {key}
              </Narrowing>,
            ],
            [all.operation, narrowing("operation", entry.operation, all.operations[entry.operation])],
            ...protocolRow(entry, text.protocol),
            [
              text.mode,
              entry.stream
                ? narrowing("mode", "streamed", all.streamed)
                : narrowing("mode", "whole", all.whole),
            ],
            [all.httpStatus, narrowing("http", String(entry.httpStatus))],
            ...(entry.errorCode === null
              ? []
              : [[all.errorCode, narrowing("code", entry.errorCode)] as [ReactNode, ReactNode]]),
            [text.latency, format.duration(entry.latencyMs)],
            [text.ttft, <FirstToken key="ttft" ms={entry.ttftMs} />],
          ]}
        />
      </Section>
      <Section title={text.timeline}>
        <Waterfall entry={entry} />
      </Section>
      <Section title={text.cost}>
        <ReceiptView entry={entry} />
        {"nodeCost" in entry && (entry.nodeCost !== null || entry.totalTokens > 0) && (
          <p className="text-sm">
            {entry.nodeCost === null
              ? text.nodeCostUnknown
              : fill(text.nodeCost, { cost: format.moneyExact(entry.nodeCost) })}
          </p>
        )}
      </Section>
      <Client entry={entry} />
    </>
  );
}

/** What called, and what it was told beside the answer. */
function Client({ entry }: { entry: LogDetail }) {
  const names = useClientNames();
  const text = useMessages("logs").detail;
  return (
    <Section title={text.client}>
      <Facts
        rows={[
          ...(entry.client === null
            ? []
            : [
                [text.program, narrowing("client", entry.client, names[entry.client])] as [
                  ReactNode,
                  ReactNode,
                ],
              ]),
          [text.userAgent, entry.userAgent ?? "–"],
          [text.clientRequestId, entry.clientRequestId ?? "–"],
          ...connectionRow(entry, text),
          [text.warnings, <Warnings key="warnings" codes={entry.warnings} />],
          [text.body, text.bodyNotStored],
        ]}
      />
    </Section>
  );
}

/** The WebSocket that the request came on, and its turn there. */
function connectionRow(
  { connection }: LogDetail,
  { webSocket, webSocketTurn }: { webSocket: string; webSocketTurn: string },
): [ReactNode, ReactNode][] {
  if (connection === null) return [];
  const { id, lane, turn } = connection;
  const place = fill(webSocketTurn, { turn: String(turn) });
  return [[webSocket, [id, ...(lane === null ? [] : [lane]), place].join(" · ")]];
}

/** The protocol that the client spoke; embeddings have one of their own, which the operation names. */
function protocolRow({ operation, protocol }: LogDetail, label: string): [ReactNode, ReactNode][] {
  return operation === "embed" ? [] : [[label, narrowing("protocol", protocol)]];
}

/** A value that leads to the requests that have it too. */
function narrowing(filter: CountedName, value: string, name = value): ReactNode {
  return (
    <Narrowing key={filter} filter={filter} value={value} name={name}>
      {name}
    </Narrowing>
  );
}

/** The request's id, and in a sentence what became of it. */
function Headline({ entry }: { entry: LogDetail }) {
  const all = useMessages("logs");
  const format = useFormat();
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-1">
        <code className="min-w-0 text-xs break-all">{entry.requestId}</code>
        <CopyButton
          text={entry.requestId}
          label={all.detail.copyId}
          iconOnly
          variant="ghost"
          className="-my-2 shrink-0"
        />
      </div>
      <p className="flex flex-wrap items-center gap-2">
        <LogStatus entry={entry} />
        <span>{sentence(entry, all, format)}</span>
      </p>
      <ErrorMessage entry={entry} />
    </div>
  );
}

/** The time to the first token, and what it is measured from: three places measure it, each its own way. */
function FirstToken({ ms }: { ms: number | null }) {
  const text = useMessages("logs").detail;
  const format = useFormat();
  return (
    <>
      {format.duration(ms)}
      {ms !== null && <span className="block text-xs text-muted">{text.ttftHint}</span>}
    </>
  );
}

/** Whose request it was, and the nodes that were tried; only admins see these. */
function rowsOfAdmins(
  entry: LogDetail | AdminLogDetail,
  labels: { account: string; node: string },
): [ReactNode, ReactNode][] {
  if (!("userId" in entry)) return [];
  const account: [ReactNode, ReactNode] = [labels.account, <Account key="account" id={entry.userId} />];
  if (entry.attempts.length === 0) return [account];
  return [account, [labels.node, <Nodes key="nodes" {...entry} />]];
}

/** The name leads to the page of the account. */
function Account({ id }: { id: string }) {
  const name = useRead("GET /api/admin/users/{id}", { params: { id } }).data?.username ?? "…";
  return (
    <>
      <AccountLink id={id} />
      <Narrowing filter="user" value={id} name={name} />
    </>
  );
}

/** Each node once, in the order in which they were tried; of several what came of the last attempt at each. */
function Nodes({ attempts, status }: Pick<AdminLogDetail, "attempts" | "status">) {
  const text = useMessages("logs").detail;
  const nodes = new Map(attempts.map((attempt) => [attempt.nodeId, attempt]));
  return (
    <ul className="grid justify-items-start gap-1">
      {[...nodes].map(([id, { node: name, ...attempt }]) => (
        <li key={name} className="flex flex-wrap items-center gap-x-2">
          {id === null ? (
            name
          ) : (
            <Narrowing filter="node" value={id} name={name}>
              {name}
            </Narrowing>
          )}
          {nodes.size > 1 && (
            <span className="text-xs text-muted">{resultText(resultOf(attempt, status), text)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** In words, each with the code that the client got. */
function Warnings({ codes }: { codes: readonly string[] }) {
  const text = useMessages("logs").detail;
  if (codes.length === 0) return "–";
  return (
    <ul className="grid gap-1">
      {codes.map((code) => {
        const words = warningText(code, text);
        return (
          <li key={code}>
            {words} {words !== code && <code className="text-xs text-muted">{code}</code>}
          </li>
        );
      })}
    </ul>
  );
}

function Section(props: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-2">
      <h3 className="text-sm font-semibold">{props.title}</h3>
      {props.children}
    </section>
  );
}

function sentence(entry: LogDetail, text: Messages["logs"], format: Format): string {
  const values = {
    latency: format.duration(entry.latencyMs),
    count: entry.attemptCount,
    status: entry.httpStatus,
    code: entry.errorCode ?? "",
  };
  switch (entry.status) {
    case "success":
      return fill(entry.attemptCount > 1 ? text.sentences.failover : text.sentences.success, values);
    case "error":
      return fill(text.sentences[outcomeOf(values.code)], values);
    case "cancelled":
      return fill(text.sentences.cancelled, values);
    case "interrupted":
      return fill(text.sentences.interrupted, values);
  }
}
