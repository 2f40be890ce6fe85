"use client";

import { errorStatus } from "@/lib/kernel/errors";
import { type ClientProtocol, nodeProtocols, protocolTitles } from "@/lib/protocols/protocol";
import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { CodeWords } from "../ui/code-words";
import { DataTable } from "../ui/data-table";
import { Tabs } from "../ui/tabs";
import type { FieldRow } from "./protocol-fields";

/** The base URL and the header of the key, by client. */
export function AddressTable(props: { text: Pick<Messages["guide"], "addresses">; publicUrl: string }) {
  const { columns, rows, title } = props.text.addresses;
  return (
    <DataTable
      caption={title}
      rows={[
        { client: rows.openai, url: `${props.publicUrl}/v1`, header: "Authorization: Bearer" },
        { client: rows.anthropic, url: props.publicUrl, header: "x-api-key" },
        { client: rows.claude, url: props.publicUrl, header: "ANTHROPIC_AUTH_TOKEN" },
      ]}
      rowId={({ client }) => client}
      columns={[
        { id: "client", head: columns.client, cell: ({ client }) => client },
        { id: "url", head: columns.url, className: "font-mono break-all", cell: ({ url }) => url },
        { id: "header", head: columns.header, className: "font-mono", cell: ({ header }) => header },
      ]}
    />
  );
}

/** The headers of answers with their meanings. */
export function HeaderTable(props: { text: Pick<Messages["guide"], "limits" | "limitHeaders"> }) {
  const { columns, headers } = props.text.limitHeaders;
  return (
    <DataTable
      caption={props.text.limits.title}
      rows={Object.entries(headers)}
      rowId={([header]) => header}
      columns={[
        {
          id: "header",
          head: columns.header,
          card: "title",
          className: "font-mono md:whitespace-nowrap",
          cell: ([header]) => header,
        },
        {
          id: "meaning",
          head: columns.meaning,
          card: "line",
          cell: ([, meaning]) => <CodeWords text={meaning} />,
        },
      ]}
    />
  );
}

/** The codes of errors with their meanings. */
export function ErrorTable(props: { text: Pick<Messages["guide"], "errors"> }) {
  const { columns, meanings, title } = props.text.errors;
  // `Object.entries` widens the names; they are those of the dictionary.
  const rows = Object.entries(meanings) as Array<[keyof typeof meanings, string]>;
  return (
    <DataTable
      caption={title}
      rows={rows}
      rowId={([code]) => code}
      columns={[
        { id: "status", head: columns.status, card: "corner", cell: ([code]) => errorStatus[code] },
        { id: "code", head: columns.code, card: "title", className: "font-mono", cell: ([code]) => code },
        {
          id: "meaning",
          head: columns.meaning,
          card: "line",
          cell: ([, meaning]) => <CodeWords text={meaning} />,
        },
      ]}
    />
  );
}

/** What one may see, and what to do then. */
export interface Problem {
  what: string;
  help: string;
}

export function ProblemTable(props: {
  title: string;
  columns: { what: string; help: string };
  problems: Problem[];
}) {
  return (
    <DataTable
      caption={props.title}
      rows={props.problems}
      rowId={({ what }) => what}
      columns={[
        {
          id: "what",
          head: props.columns.what,
          card: "title",
          className: "md:w-1/3",
          cell: ({ what }) => <CodeWords text={what} />,
        },
        {
          id: "help",
          head: props.columns.help,
          card: "line",
          cell: ({ help }) => <CodeWords text={help} />,
        },
      ]}
    />
  );
}

/** For each protocol of a client, what becomes of its fields on nodes of the others. */
export function FieldTables(props: {
  text: Pick<Messages["guide"], "fields">;
  tables: Array<{ client: ClientProtocol; rows: FieldRow[] }>;
}) {
  const { fields } = props.text;
  return (
    <Tabs
      label={fields.title}
      tabs={props.tables.map(({ client, rows }) => ({
        value: client,
        label: protocolTitles[client],
        content: (
          <DataTable
            caption={`${fields.title}: ${protocolTitles[client]}`}
            rows={rows}
            rowId={({ field }) => field}
            columns={[
              {
                id: "field",
                head: fields.field,
                card: "title",
                className: "font-mono",
                cell: ({ field }) => field,
              },
              ...nodeProtocols
                .filter((node) => node !== client)
                .map((node) => ({
                  id: node,
                  head: fill(fields.to, { protocol: protocolTitles[node] }),
                  cell: ({ fates }: FieldRow) => fields.fates[fates[node] ?? "dropped"],
                })),
            ]}
          />
        ),
      }))}
    />
  );
}
