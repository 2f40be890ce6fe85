"use client";

import { nodeProtocols, protocolTitles } from "@/lib/protocols/protocol";
import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { CodeWords } from "../ui/code-words";
import type { Column } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { Tabs } from "../ui/tabs";
import type { FieldRow, FieldTable } from "./protocol-fields";

type Look = Pick<Column<string[]>, "card" | "className">;

/** How the columns of a table look, by the part of a guide that it is in. */
const looks: Readonly<Record<string, readonly Look[]>> = {
  addresses: [{}, { className: "font-mono break-all" }, { className: "font-mono" }],
  example: [{ card: "title", className: "font-mono md:whitespace-nowrap" }, { card: "line" }],
  codes: [{ card: "corner" }, { card: "title", className: "font-mono" }, { card: "line" }],
  problems: [{ card: "title", className: "md:w-1/3" }, { card: "line" }],
};

/** A table of a guide. */
export function GuideTable(props: {
  /** The part that has it. */
  part: string;
  caption: string;
  head: readonly string[];
  rows: string[][];
}) {
  const ofPart = looks[props.part] ?? [];
  const naming = ofPart.findIndex(({ card }) => card === "title");
  return (
    <DataTable
      caption={props.caption}
      rows={props.rows}
      rowId={(row) => row[Math.max(0, naming)] ?? ""}
      columns={props.head.map((head, index) => ({
        id: head,
        head,
        ...ofPart[index],
        cell: (row: string[]) => <CodeWords text={row[index] ?? ""} />,
      }))}
    />
  );
}

/** For each protocol of a client, what becomes of its fields on nodes of the others. */
export function FieldTables(props: {
  title: string;
  text: Messages["guide"]["fields"];
  tables: FieldTable[];
}) {
  const { title, text } = props;
  return (
    <Tabs
      label={title}
      tabs={props.tables.map(({ client, rows }) => ({
        value: client,
        label: protocolTitles[client],
        content: (
          <DataTable
            caption={`${title}: ${protocolTitles[client]}`}
            rows={rows}
            rowId={({ field }) => field}
            columns={[
              {
                id: "field",
                head: text.field,
                card: "title",
                className: "font-mono",
                cell: ({ field }) => field,
              },
              ...nodeProtocols
                .filter((node) => node !== client)
                .map((node) => ({
                  id: node,
                  head: fill(text.to, { protocol: protocolTitles[node] }),
                  cell: ({ fates }: FieldRow) => text.fates[fates[node] ?? "dropped"],
                })),
            ]}
          />
        ),
      }))}
    />
  );
}
