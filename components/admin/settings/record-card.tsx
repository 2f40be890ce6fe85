"use client";

import { Plus } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { QueryRegion } from "../../api/query-region";
import { RowMenu } from "../../lists/row-menu";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { DataTable } from "../../ui/data-table";
import { EmptyState } from "../../ui/states";

/** Records of one kind as a table in a card, with a button for a new one and a menu for each. */
export function RecordCard<Row extends { id: string }>(props: {
  text: { title: string; create: string; caption: string; empty: string; noneShown?: string };
  query: ComponentProps<typeof QueryRegion<{ data: Row[] }>>["query"];
  columns: ComponentProps<typeof DataTable<Row>>["columns"];
  /** A click on a row presses its first button. */
  opens?: boolean;
  nameOf: (row: Row) => string;
  menu: (row: Row) => ReactNode;
  onEdit?: (row: Row) => void;
  /** The rows that are shown; all unless said otherwise. */
  shows?: (row: Row) => boolean;
  /** Above the table. */
  note?: ReactNode;
  onCreate: () => void;
  /** The layers that it opens. */
  children: ReactNode;
}) {
  const { text, onEdit, shows = () => true } = props;
  return (
    <Card
      flush
      title={text.title}
      actions={
        <Button size="sm" variant="primary" onClick={props.onCreate}>
          <Plus aria-hidden className="size-4" />
          {text.create}
        </Button>
      }
    >
      <QueryRegion query={props.query}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={text.empty} />
          ) : (
            <>
              {props.note}
              {!data.some(shows) && <EmptyState title={text.noneShown ?? text.empty} />}
              <DataTable
                flush
                opens={props.opens === true}
                caption={text.caption}
                columns={props.columns}
                rows={data.filter(shows)}
                rowId={({ id }) => id}
                edit={onEdit && ((row) => () => onEdit(row))}
                actions={(row) => <RowMenu name={props.nameOf(row)}>{props.menu(row)}</RowMenu>}
              />
            </>
          )
        }
      </QueryRegion>
      {props.children}
    </Card>
  );
}
