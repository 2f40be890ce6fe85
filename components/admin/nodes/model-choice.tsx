"use client";

import { type ComponentProps, useId } from "react";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { Input } from "../../ui/field";
import type { NodeModels } from "../types";

/** An upstream model's name: chosen from those that are known, or typed. */
export function ModelInput(
  props: Omit<ComponentProps<"input">, "list" | "value" | "onChange"> & {
    models: NodeModels["models"];
    value: string;
    onChange: (typed: string) => void;
  },
) {
  const listId = useId();
  const format = useFormat();
  const { models, onChange, ...rest } = props;
  return (
    <>
      <Input
        {...rest}
        list={listId}
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={listId}>
        {models.map(({ id, name, contextWindow }) => (
          <option key={id} value={id}>
            {[name, contextWindow === null ? null : format.roundCount(contextWindow)]
              .filter((part) => part !== null)
              .join(" · ")}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** What went wrong with a node, in words, with what it said itself. */
export function problemText(
  problem: NonNullable<NodeModels["problem"]>,
  error: string | null,
  text: Messages["adminNodes"],
): string {
  const words = text.problems[problem];
  // Here the words say it all, and it was not the node that said it.
  if (problem === "address") return words;
  return error === null || error === "" ? words : fill(text.problemSaid, { words, error });
}

/** The hint below a model's name: how many are known, or why none are. */
export function useModelsHint(query: {
  data: NodeModels | undefined;
  isFetching: boolean;
  isError: boolean;
}): string | undefined {
  const text = useMessages("adminNodes");
  const format = useFormat();
  const { data } = query;
  if (data === undefined) {
    if (query.isError) return text.listFailed;
    return query.isFetching ? text.listReading : undefined;
  }
  if (data.problem === "missing") return text.listMissing;
  if (data.problem !== null) return fill(text.listProblem, { words: text.problems[data.problem] });
  return fill(text.listCount, { count: format.count(data.models.length) });
}
