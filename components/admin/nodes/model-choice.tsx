"use client";

import { type ComponentProps, useId } from "react";
import type { NodeModels } from "../../api/admin/types";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { Input } from "../../ui/field";

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

type Problem = NonNullable<NodeModels["problem"]>;

/** What kept the connection from being made: it was not the node that said it. */
const ofConnection: ReadonlySet<Problem> = new Set<Problem>([
  ...(["address", "unreachable", "closed", "private", "certificate", "timeout"] as const),
]);

/** What went wrong with a node, in words. */
function problemText(problem: Problem, baseUrl: string, text: Messages["adminNodes"]): string {
  return fill(text.problems[problem], { host: hostOf(baseUrl) });
}

/** What went wrong with a node, and below it what it said itself, or what the connection did. */
export function ProblemWords(props: {
  problem: Problem;
  error: string | null;
  baseUrl: string;
  /** A sentence around the words, with `{words}`. */
  within?: string;
}) {
  const text = useMessages("adminNodes");
  const { problem, error, baseUrl } = props;
  const words = problemText(problem, baseUrl, text);
  const said = ofConnection.has(problem) ? text.problemConnection : text.problemSaid;
  return (
    <>
      {props.within === undefined ? words : fill(props.within, { words })}
      {error !== null && error !== "" && (
        <span className="mt-1 block text-xs text-muted wrap-anywhere">{fill(said, { error })}</span>
      )}
    </>
  );
}

/** What may have to be changed, in words; null for nothing. */
export function useHintWords(hint: NodeModels["hint"]): string | null {
  const { credential } = useMessages("adminNodes");
  return hint === null ? null : fill(credential.nodeHints[hint.code], { value: hint.value ?? "" });
}

/** Host and port of an address; the address itself where it is none. */
function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl.trim()) ? new URL(baseUrl.trim()).host : baseUrl.trim();
}

/** The hint below a model's name: how many are known, or why none are. */
export function useModelsHint(
  query: { data: NodeModels | undefined; isFetching: boolean; isError: boolean },
  baseUrl: string,
): string | undefined {
  const text = useMessages("adminNodes");
  const format = useFormat();
  const { data } = query;
  if (data === undefined) {
    if (query.isError) return text.listFailed;
    return query.isFetching ? text.listReading : undefined;
  }
  if (data.problem === "missing") return text.listMissing;
  if (data.problem !== null)
    return fill(text.listProblem, { words: problemText(data.problem, baseUrl, text) });
  return fill(text.listCount, { count: format.count(data.models.length) });
}
