"use client";

import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useFieldArray } from "react-hook-form";
import { GroupErrors } from "../../../forms/fields";
import { Button } from "../../../ui/button";
import type { NameOf } from "./part";

/** Rows of fields that can be added and removed. */
export function RowList(props: {
  /** The field that holds the list. */
  name: string;
  nameOf: NameOf;
  most: number;
  addLabel: string;
  /** What a new row begins with. */
  empty: () => object;
  titleOf: (n: number) => string;
  removeLabelOf: (n: number) => string;
  /** The fields of a row, with their prefix as the key: those of a row that has moved begin anew under their new names. */
  children: (index: number) => ReactNode;
}) {
  const { name, nameOf } = props;
  const list = useFieldArray({ name });
  return (
    <div className="grid gap-3">
      {list.fields.length > 0 && (
        <ol className="grid gap-3">
          {list.fields.map(({ id }, index) => (
            <li key={id} className="grid gap-3 rounded-md border p-3">
              <RowHead
                title={nameOf(props.titleOf(index + 1))}
                removeLabel={nameOf(props.removeLabelOf(index + 1))}
                onRemove={() => list.remove(index)}
              />
              {props.children(index)}
            </li>
          ))}
        </ol>
      )}
      <GroupErrors name={name} />
      {list.fields.length < props.most && (
        <Button
          size="sm"
          className="h-auto! min-h-8 max-w-full justify-self-start py-1 text-left whitespace-normal!"
          onClick={() => list.append(props.empty())}
        >
          <Plus aria-hidden className="size-4" />
          {nameOf(props.addLabel)}
        </Button>
      )}
    </div>
  );
}

function RowHead(props: { title: string; removeLabel: string; onRemove: () => void }) {
  return (
    <div className="flex items-center justify-between gap-2">
      <p className="min-w-0 text-sm font-medium wrap-anywhere">{props.title}</p>
      <Button
        variant="ghost"
        size="icon"
        aria-label={props.removeLabel}
        title={props.removeLabel}
        onClick={props.onRemove}
      >
        <Trash2 aria-hidden className="size-4" />
      </Button>
    </div>
  );
}
