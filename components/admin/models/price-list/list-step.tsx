"use client";

import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { toScaled } from "@/lib/shared/decimal";
import type { ListEntry } from "@/lib/shared/prices/list-entry";
import type { Terms } from "@/lib/shared/prices/prices-from-list";
import { type ListProblem, readPriceList } from "@/lib/shared/prices/read-price-list";
import { typedDecimal } from "@/lib/shared/typed";
import { fill } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import { Button } from "../../../ui/button";
import { DialogActions } from "../../../ui/dialog";
import { Field, Input, TextArea } from "../../../ui/field";

/** The list as chosen or pasted, and how its dollars become prices. */
export interface TypedList extends Terms {
  /** Stands in place of what is pasted. */
  file: { name: string; text: string } | null;
  pasted: string;
}

interface Problems {
  list?: string;
  rate?: string;
  markup?: string;
}

/** Such lists have about one megabyte. */
const MOST_MEGABYTES = 20;

/** The list, a file or pasted, yuan per dollar and the markup. */
export function ListStep(props: {
  list: TypedList;
  onList: (list: TypedList) => void;
  onRead: (entries: ListEntry[], terms: Terms) => void;
}) {
  const text = useMessages("adminModels").list;
  const { list } = props;
  const [problems, setProblems] = useState<Problems>({});
  const form = useRef<HTMLFormElement>(null);
  const read = useRead();
  function change(part: Partial<TypedList>) {
    setProblems({});
    props.onList({ ...list, ...part });
  }
  function submit() {
    const { entries, terms, ...found } = read(list);
    setProblems(found.problems);
    if (entries !== null && terms !== null) return props.onRead(entries, terms);
    const [first] = Object.keys(found.problems);
    form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  }
  const errorsOf = (name: keyof Problems) => {
    const problem = problems[name];
    return problem === undefined ? undefined : [problem];
  };
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className="text-sm">{text.lead}</p>
      <FileChoice
        file={list.file}
        onFile={(file) => change({ file })}
        onProblem={(problem) => setProblems({ list: problem })}
      />
      <ListField
        list={list}
        errors={errorsOf("list")}
        onPasted={(pasted) => change({ pasted, file: null })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {(["rate", "markup"] as const).map((name) => (
          <Field key={name} label={text[name]} hint={text[`${name}Hint`]} errors={errorsOf(name)}>
            {(control) => (
              <Input
                {...control}
                name={name}
                inputMode="decimal"
                autoComplete="off"
                value={list[name]}
                onChange={({ target }) => change({ [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <DialogActions>
        <Button type="submit" variant="primary">
          {text.read}
        </Button>
      </DialogActions>
    </form>
  );
}

function ListField(props: {
  list: TypedList;
  errors: string[] | undefined;
  onPasted: (pasted: string) => void;
}) {
  const text = useMessages("adminModels").list;
  const { file, pasted } = props.list;
  return (
    <Field
      label={text.list}
      hint={file === null ? text.listHint : fill(text.chosen, { name: file.name })}
      errors={props.errors}
    >
      {(control) => (
        <TextArea
          {...control}
          name="list"
          data-first-focus
          spellCheck={false}
          rows={5}
          className="font-mono whitespace-pre"
          value={pasted}
          onChange={({ target }) => props.onPasted(target.value)}
        />
      )}
    </Field>
  );
}

/** Reads a file here: it is never sent. */
function FileChoice(props: {
  file: TypedList["file"];
  onFile: (file: TypedList["file"]) => void;
  onProblem: (problem: string) => void;
}) {
  const text = useMessages("adminModels").list;
  const picker = useRef<HTMLInputElement>(null);
  async function take(file: File) {
    const { name, size } = file;
    if (size > MOST_MEGABYTES * 1_000_000)
      return props.onProblem(fill(text.tooLarge, { size: MOST_MEGABYTES }));
    try {
      props.onFile({ name, text: await file.text() });
    } catch {
      props.onProblem(fill(text.unreadable, { name }));
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <input
        ref={picker}
        type="file"
        hidden
        accept=".json,application/json"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void take(file);
          target.value = ""; // so that the same file can be chosen again
        }}
      />
      <Button onClick={() => picker.current?.click()}>
        <FileUp aria-hidden className="size-4" />
        {text.choose}
      </Button>
      {props.file !== null && (
        <Button variant="ghost" onClick={() => props.onFile(null)}>
          {text.removeFile}
        </Button>
      )}
    </div>
  );
}

/** What was typed, read; or why it cannot be. */
function useRead() {
  const text = useMessages("adminModels").list;
  const format = useFormat();
  const wordsOf = (problem: ListProblem) => {
    if (problem.kind !== "json" && problem.kind !== "jsonEnd") return text.problems[problem.kind];
    const [line, column] = [problem.line, problem.column].map(format.countFull);
    return fill(text.problems[problem.kind], {
      found: problem.found,
      line: line ?? "",
      column: column ?? "",
    });
  };
  return ({ file, pasted, ...typed }: TypedList) => {
    const list = readPriceList(file?.text ?? pasted);
    const rate = typedDecimal(typed.rate);
    const markup = typedDecimal(typed.markup.trim() || "0");
    const problems: Problems = {
      ...("problem" in list && { list: wordsOf(list.problem) }),
      ...((rate === null || toScaled(rate) === 0n) && { rate: text.rateRule }),
      ...(markup === null && { markup: text.markupRule }),
    };
    const sound = Object.keys(problems).length === 0;
    return {
      problems,
      entries: sound && "entries" in list ? list.entries : null,
      terms: sound && rate !== null && markup !== null ? { rate, markup } : null,
    };
  };
}
