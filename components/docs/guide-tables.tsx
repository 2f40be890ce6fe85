"use client";

import { errorStatus } from "@/lib/kernel/errors";
import type { Messages } from "../i18n/messages";
import { CodeWords } from "../ui/code-words";
import { DataTable } from "../ui/data-table";

/** The base URL and the header of the key, by client. */
export function AddressTable(props: { text: Messages["guide"]; publicUrl: string }) {
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
export function HeaderTable(props: { text: Messages["guide"] }) {
  const { columns, headers, title } = props.text.limits;
  return (
    <DataTable
      caption={title}
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
export function ErrorTable(props: { text: Messages["guide"] }) {
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
