"use client";

import dynamic from "next/dynamic";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import type { AdminModel, NodeView } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { ListPage, useListSource } from "../../lists/list-page";
import { useListState } from "../../lists/list-state";
import { useCreating, useWriting } from "../../lists/use-creating";
import { useSelection } from "../../lists/use-selection";
import { Note } from "../../ui/states";
import { ConfirmedCall } from "../confirmed-call";
import { lacksCost, needsAttention } from "../model-state";
import { CreateModelSheet } from "./create-model-sheet";
import { ModelList } from "./model-list";
import { ModelSheet } from "./model-sheet";
import { PriceListButton } from "./price-list/price-list-button";

/** Without what is shown meanwhile the whole page would wait for it. */
const ModelBulkBar = dynamic(() => import("./bulk").then((module) => module.ModelBulkBar), {
  loading: () => null,
});

/** What the configuration file declares is changed there. */
const isSelectable = ({ managedByFile }: AdminModel) => !managedByFile;

const tabs = ["details", "routes", "prices"] as const;
const filterParsers = { search: parseAsString, attention: parseAsBoolean, uncosted: parseAsBoolean };

/** Public aliases, the nodes that serve them, and what they cost. */
export function ModelsPage() {
  const text = useMessages("adminModels");
  const models = useRead("GET /api/admin/models");
  const [url, setUrl] = useQueryStates({ model: parseAsString, tab: parseAsStringLiteral(tabs) });
  const [opening, open] = useWriting();
  const [creating, setCreating] = useCreating("model");
  const [doomed, setDoomed] = useState<AdminModel | null>(null);
  const list = useListState(filterParsers);
  const nodes = useRead("GET /api/admin/nodes").data?.data;
  const selection = useSelection(models.data?.data, isSelectable);
  const opened = models.data?.data.find((model) => model.id === url.model);
  const isGone = models.isSuccess && url.model !== null && opened === undefined;
  return (
    <>
      <ListPage
        title={text.title}
        lead={text.lead}
        actions={
          models.data !== undefined && <PriceListButton models={models.data.data} selection={selection} />
        }
        primary={{ label: text.create, onClick: () => setCreating(true) }}
        state={list}
        filters={[
          { kind: "search", name: "search", label: text.search },
          { kind: "flag", name: "attention", label: text.attention },
          { kind: "flag", name: "uncosted", label: text.uncosted },
        ]}
        source={useListSource(models)}
        matches={(model) => isWanted(model, list.url, nodes)}
        count={text.found}
        empty={text.empty}
        notice={isGone && <Note tone="warning">{text.gone}</Note>}
      >
        {(shown) => (
          <ModelList
            models={shown}
            selection={selection}
            onTask={(model, task) =>
              task === "delete" ? setDoomed(model) : open(setUrl({ model: model.id, tab: task }))
            }
          />
        )}
      </ListPage>
      {selection.rows.length > 0 && <ModelBulkBar selection={selection} />}
      {opened !== undefined && !opening && (
        <ModelSheet
          key={opened.id}
          model={opened}
          tab={url.tab ?? "details"}
          onTab={(tab) => void setUrl({ tab })}
          onClose={() => setUrl({ model: null, tab: null })}
        />
      )}
      {creating && <CreateModelSheet onClose={() => setCreating(false)} />}
      {doomed !== null && (
        <DeleteModel
          model={doomed}
          onClose={() => setDoomed(null)}
          onDeleted={() => selection.set([doomed], false)}
        />
      )}
    </>
  );
}

function isWanted(
  model: AdminModel,
  filters: { search: string | null; attention: boolean | null; uncosted: boolean | null },
  nodes: NodeView[] | undefined,
): boolean {
  const names = [model.alias, model.displayName, ...model.alsoKnownAs].join(" ").toLowerCase();
  return (
    names.includes((filters.search ?? "").toLowerCase()) &&
    (filters.attention !== true || needsAttention(model, nodes)) &&
    (filters.uncosted !== true || lacksCost(model))
  );
}

function DeleteModel(props: { model: AdminModel; onClose: () => void; onDeleted: () => void }) {
  const text = useMessages("adminModels");
  const { alias, id } = props.model;
  return (
    <ConfirmedCall
      title={fill(text.deleteTitle, { name: alias })}
      body={text.deleteBody}
      typed={alias}
      action={text.deleteAction}
      send={(call) => call("DELETE /api/admin/models/{id}", { params: { id } })}
      done={fill(text.deleted, { name: alias })}
      deletes={id}
      onClose={props.onClose}
      onDone={props.onDeleted}
    />
  );
}
