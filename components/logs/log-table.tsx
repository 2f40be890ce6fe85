"use client";

import { Radio } from "lucide-react";
import { ratio } from "../i18n/decimal";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Link } from "../ui/link";
import { Table, Td, Th } from "../ui/table";
import type { LogRow } from "./log-rows";
import { LogStatusBadge } from "./log-status";

/** Requests as a table; narrow screens hide columns by priority. */
export function LogTable(props: {
  rows: LogRow[];
  hrefOf: (requestId: string) => string;
  current: string | null;
}) {
  const text = useMessages("logs");
  const { columns } = text;
  const withUser = props.rows.some((row) => row.username !== undefined);
  const slowest = Math.max(1, ...props.rows.map((row) => row.latencyMs));
  return (
    <div className="overflow-hidden rounded-lg border max-sm:hidden">
      <Table caption={text.caption}>
        <thead>
          <tr>
            <Th>{columns.time}</Th>
            <Th>{columns.status}</Th>
            <Th>{columns.model}</Th>
            {withUser && <Th>{columns.user}</Th>}
            <Th className="max-lg:hidden">{columns.key}</Th>
            <Th end className="max-md:hidden">
              {columns.tokens}
            </Th>
            <Th end>{columns.cost}</Th>
            <Th end className="max-xl:hidden">
              {columns.ttft}
            </Th>
            <Th end>{columns.duration}</Th>
            <Th className="max-lg:hidden">{columns.stream}</Th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row, index) => (
            <Row
              key={row.requestId}
              row={row}
              before={props.rows[index - 1] ?? null}
              href={props.hrefOf(row.requestId)}
              current={props.current === row.requestId}
              share={ratio(row.latencyMs, slowest)}
              withUser={withUser}
            />
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function Row(props: {
  row: LogRow;
  before: LogRow | null;
  href: string;
  current: boolean;
  share: number;
  withUser: boolean;
}) {
  const text = useMessages("logs");
  const format = useFormat();
  const { row } = props;
  const newDay = props.before === null || format.date(props.before.createdAt) !== format.date(row.createdAt);
  return (
    <tr
      className={props.current ? "bg-primary-soft" : "hover:bg-card"}
      aria-current={props.current ? "true" : undefined}
    >
      <Td className="whitespace-nowrap">
        <Link
          href={props.href}
          scroll={false}
          title={format.dateTime(row.createdAt)}
          className="inline-grid min-h-6 content-center rounded-sm text-primary underline-offset-2 hover:underline"
        >
          {newDay && <span className="text-xs text-muted">{format.date(row.createdAt)}</span>}
          <time dateTime={row.createdAt} className="font-mono">
            {format.time(row.createdAt)}
          </time>
        </Link>
      </Td>
      <Td>
        <LogStatusBadge entry={row} />
        {row.errorCode !== null && (
          <span className="mt-0.5 block font-mono text-xs text-muted">{row.errorCode}</span>
        )}
      </Td>
      <Td className="max-w-56 font-mono break-all">
        {row.model}
        {row.node != null && row.node !== "" && (
          <span className="block text-xs text-muted">→ {row.node}</span>
        )}
      </Td>
      {props.withUser && <Td className="break-all">{row.username}</Td>}
      <Td className="max-w-44 truncate max-lg:hidden" title={row.keyPrefix}>
        {row.tokenName}
      </Td>
      <Td end className="max-md:hidden">
        {format.countFull(row.promptTokens)} / {format.countFull(row.completionTokens)}
      </Td>
      <Td end>
        <span title={format.moneyExact(row.cost)}>{format.money(row.cost)}</span>
      </Td>
      <Td end className="max-xl:hidden">
        {format.duration(row.ttftMs)}
      </Td>
      <Td end>
        {format.duration(row.latencyMs)}
        <span aria-hidden className="mt-0.5 ml-auto block h-1 w-16 overflow-hidden rounded-full bg-line">
          <span className="block h-full bg-control" style={{ width: `${props.share * 100}%` }} />
        </span>
      </Td>
      <Td className="max-lg:hidden">
        {row.stream && <Radio aria-label={text.streamed} className="size-4 text-muted" />}
      </Td>
    </tr>
  );
}

/** Requests as cards, on phones. */
export function LogCards(props: { rows: LogRow[]; hrefOf: (requestId: string) => string }) {
  const text = useMessages("logs");
  const format = useFormat();
  return (
    <ul className="grid gap-2 sm:hidden">
      {props.rows.map((row) => (
        <li key={row.requestId} className="rounded-lg border">
          <Link href={props.hrefOf(row.requestId)} scroll={false} className="grid gap-1.5 rounded-lg p-3">
            <span className="flex items-start justify-between gap-2">
              <span className="min-w-0 font-mono break-all">{row.model}</span>
              <LogStatusBadge entry={row} />
            </span>
            <span className="tabular flex justify-between gap-2 text-sm text-muted">
              <span>{format.dateTime(row.createdAt)}</span>
              <span>{format.duration(row.latencyMs)}</span>
            </span>
            <span className="tabular flex justify-between gap-2 text-sm">
              <span className="text-muted">
                {fill("{label}: {input} / {output}", {
                  label: text.columns.tokens,
                  input: format.count(row.promptTokens),
                  output: format.count(row.completionTokens),
                })}
              </span>
              <span>{format.money(row.cost)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
