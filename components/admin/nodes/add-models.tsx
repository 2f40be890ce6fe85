"use client";

import { useContext, useEffect, useId, useState } from "react";
import { useFieldArray, useFormContext, useFormState, useWatch } from "react-hook-form";
import type { NodeModels, NodeView } from "../../api/admin/types";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { ShownFields, TextField, usePriceRule } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill, plural } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Drawer } from "../../ui/drawer";
import { Checkbox, SearchInput } from "../../ui/field";
import { TextLink } from "../../ui/link";
import { ScrollBox } from "../../ui/scroll-box";
import { Note } from "../../ui/states";
import { toast } from "../../ui/toast";
import { useAdminCall } from "../use-admin-change";
import { type AddModelsDraft, isUnpriced, type ListedModel, modelsBody, pickedOf } from "./add-models-draft";
import { ProblemWords } from "./model-choice";

const MOST_SHOWN = 200;
const MOST_PICKED = 100;

/** Makes aliases with routes of models that are ticked in a node's own list. */
export function AddModelsSheet(props: { node: NodeView; onClose: () => void }) {
  const text = useMessages("adminNodes").addModels;
  const list = useRead("GET /api/admin/nodes/{id}/models", { params: { id: props.node.id } });
  return (
    <Drawer onClose={props.onClose} title={fill(text.title, { name: props.node.name })}>
      <QueryRegion query={list}>
        {(data) =>
          data.problem === null ? (
            <AddModelsForm {...props} list={data} />
          ) : (
            <NoList list={data} baseUrl={props.node.baseUrl} />
          )
        }
      </QueryRegion>
    </Drawer>
  );
}

function NoList(props: { list: NodeModels; baseUrl: string }) {
  const text = useMessages("adminNodes");
  const { problem, error } = props.list;
  return (
    <div className="grid gap-3">
      <Note tone="warning" role="status">
        {problem === "missing" || problem === null ? (
          text.listMissing
        ) : (
          <ProblemWords problem={problem} error={error} baseUrl={props.baseUrl} />
        )}
      </Note>
      <TextLink href="/admin/models" className="w-fit">
        {text.addModels.byName}
      </TextLink>
    </div>
  );
}

function AddModelsForm(props: { node: NodeView; list: NodeModels; onClose: () => void }) {
  const text = useMessages("adminNodes").addModels;
  const format = useFormat();
  const call = useAdminCall();
  const { node, list, onClose } = props;
  const blank: AddModelsDraft = { models: [] };
  return (
    <RecordForm
      operation="POST /api/admin/models/batch"
      call={call}
      initial={blank}
      toBody={(draft) => modelsBody(draft, node.name)}
      onSent={({ data }) => {
        onClose();
        toast.done(plural(text.done, data.length, format.locale));
      }}
      submitLabel={<SubmitLabel />}
      onCancel={onClose}
    >
      <p className="text-sm text-muted">{text.lead}</p>
      <AddModelsFields node={node} list={list} />
    </RecordForm>
  );
}

function SubmitLabel() {
  const text = useMessages("adminNodes").addModels;
  const format = useFormat();
  const models = useWatch<AddModelsDraft, "models">({ name: "models" });
  return models.length === 0 ? text.noChoice.submit : plural(text.submit, models.length, format.locale);
}

function AddModelsFields(props: { node: NodeView; list: NodeModels }) {
  const text = useMessages("adminNodes").addModels;
  const format = useFormat();
  const chosen = useFieldArray<AddModelsDraft, "models">({ name: "models" });
  const models = useWatch<AddModelsDraft, "models">({ name: "models" });
  const unpriced = models.filter(isUnpriced).length;
  const lacksChoice = useLacksChoice(models.length === 0);
  function toggle(listed: ListedModel) {
    const index = chosen.fields.findIndex((field) => field.listed.id === listed.id);
    if (index === -1) chosen.append(pickedOf(listed), { shouldFocus: false });
    else chosen.remove(index);
  }
  return (
    <>
      <ModelChecklist
        {...props}
        problem={lacksChoice ? text.noChoice.problem : null}
        ticked={new Set(chosen.fields.map(({ listed }) => listed.id))}
        onToggle={toggle}
      />
      {models.length > 0 && <PickedList ids={chosen.fields.map(({ id }) => id)} models={models} />}
      {unpriced > 0 && (
        <Note tone="warning" role="status">
          {plural(text.unpriced, unpriced, format.locale)}
        </Note>
      )}
    </>
  );
}

/** Whether the form was sent without a choice; the fields say so then, and not the summary. */
function useLacksChoice(isEmpty: boolean): boolean {
  const { submitCount } = useFormState();
  const shown = useContext(ShownFields);
  useEffect(() => {
    if (!isEmpty) return;
    shown.add("models");
    return () => {
      shown.delete("models");
    };
  }, [isEmpty, shown]);
  return isEmpty && submitCount > 0;
}

/** The node's models with boxes to tick, narrowed by a search. */
function ModelChecklist(props: {
  node: NodeView;
  list: NodeModels;
  /** What is wrong with the choice. */
  problem: string | null;
  ticked: ReadonlySet<string>;
  onToggle: (listed: ListedModel) => void;
}) {
  const text = useMessages("adminNodes").addModels;
  const format = useFormat();
  const [search, setSearch] = useState("");
  const problemId = useId();
  const { list, ticked, problem } = props;
  const wanted = search.trim().toLowerCase();
  const found = list.models.filter(({ id, name }) => `${id} ${name ?? ""}`.toLowerCase().includes(wanted));
  return (
    <div className="grid gap-2">
      <SearchInput
        label={text.search}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : problemId}
        value={search}
        onChange={setSearch}
      />
      {problem !== null && (
        <p id={problemId} className="text-sm text-danger">
          {problem}
        </p>
      )}
      {found.length === 0 ? (
        <p className="py-3 text-center text-sm text-muted">{text.nothing}</p>
      ) : (
        <ScrollBox label={text.list} className="max-h-72 rounded-md border px-3 py-1">
          <ul>
            {found.slice(0, MOST_SHOWN).map((listed) => (
              <li key={listed.id} className="py-1">
                <Checkbox
                  label={<ListedName listed={listed} node={props.node} />}
                  checked={ticked.has(listed.id)}
                  disabled={!ticked.has(listed.id) && ticked.size >= MOST_PICKED}
                  onChange={() => props.onToggle(listed)}
                />
              </li>
            ))}
          </ul>
        </ScrollBox>
      )}
      <p role="status" className="text-xs text-muted">
        {fill(found.length > MOST_SHOWN ? text.countOfMany : text.count, {
          shown: format.count(Math.min(found.length, MOST_SHOWN)),
          found: format.count(found.length),
          picked: format.count(ticked.size),
        })}
        {format.gap}
        {list.truncated && text.truncated}
      </p>
    </div>
  );
}

function ListedName(props: { listed: ListedModel; node: NodeView }) {
  const text = useMessages("adminNodes").addModels;
  const format = useFormat();
  const { id, name, kind, contextWindow } = props.listed;
  const served = props.node.models.filter(({ upstreamModel }) => upstreamModel === id);
  const facts = [
    ...(name === null ? [] : [name]),
    ...(contextWindow === null ? [] : [fill(text.window, { count: format.roundCount(contextWindow) })]),
    ...(served.length === 0
      ? []
      : [fill(text.served, { aliases: served.map(({ alias }) => alias).join(", ") })]),
  ];
  return (
    <span className="grid min-w-0">
      <span className="font-mono text-xs wrap-anywhere">
        {id} {kind === "embedding" && <Badge tone="neutral">{text.embedding}</Badge>}
      </span>
      {facts.length > 0 && <span className="text-xs wrap-anywhere text-muted">{facts.join(" · ")}</span>}
    </span>
  );
}

/** The ticked models: alias and prices of each; those of the first may serve for all. */
function PickedList(props: { ids: string[]; models: AddModelsDraft["models"] }) {
  const text = useMessages("adminNodes").addModels;
  const form = useFormContext<AddModelsDraft>();
  const { models } = props;
  const [first] = models;
  const copyable = models.length > 1 && first !== undefined && !isUnpriced(first);
  function copyPrices() {
    for (const index of models.keys()) form.setValue(`models.${index}.prices`, first?.prices ?? noPrices);
  }
  return (
    <section className="grid gap-3">
      <h3 className="text-sm font-semibold">{text.picked}</h3>
      <ol className="grid gap-3">
        {models.map(({ listed }, index) => (
          <PickedFields key={props.ids[index] ?? listed.id} listed={listed} index={index} />
        ))}
      </ol>
      {copyable && (
        <Button size="sm" className="justify-self-start" onClick={copyPrices}>
          {text.copyPrices}
        </Button>
      )}
    </section>
  );
}

const noPrices = { input: "", output: "" };

function PickedFields(props: { listed: ListedModel; index: number }) {
  const text = useMessages("adminNodes").addModels;
  const models = useMessages("adminModels");
  const rule = usePriceRule(models.priceRule);
  const taken = new Set(useRead("GET /api/admin/models").data?.data.map(({ alias }) => alias));
  const { listed, index } = props;
  const price = (name: "input" | "output") => (
    <TextField<AddModelsDraft>
      name={`models.${index}.prices.${name}`}
      label={text[name]}
      rule={rule}
      inputMode="decimal"
    />
  );
  return (
    <li className="grid gap-2 rounded-lg border p-3">
      <p className="font-mono text-xs wrap-anywhere text-muted">{listed.id}</p>
      <TextField<AddModelsDraft>
        name={`models.${index}.alias`}
        label={models.alias}
        hint={(typed) => (taken.has(typed.trim()) ? text.aliasTaken : undefined)}
      />
      <div className="grid grid-cols-2 gap-3">
        {price("input")}
        {listed.kind === "generation" && price("output")}
      </div>
    </li>
  );
}
