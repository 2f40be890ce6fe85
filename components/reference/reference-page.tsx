"use client";

import { Download } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { OpenApiDocument } from "@/lib/api/openapi/document";
import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { moveInResults, useSearchKeys } from "../search/search-keys";
import { Button, buttonClass } from "../ui/button";
import { PageHeader } from "../ui/card";
import { SearchInput } from "../ui/field";
import { Segmented } from "../ui/segmented";
import { EmptyState } from "../ui/states";
import { Contents } from "./contents";
import {
  type Audience,
  anchorOf,
  audienceOf,
  audiences,
  groupsOf,
  isPartAnchor,
  type OperationGroup,
  type ShownOperation,
} from "./model";
import { OperationView, SignedInContext } from "./operation-view";
import { ComponentsContext } from "./schema-view";

/** The API document as a page: grouped, searchable, with a URL for every operation. */
export function ReferencePage({ document, signedIn }: { document: OpenApiDocument; signedIn: boolean }) {
  const text = useMessages("reference");
  const format = useFormat();
  const [search, setSearch] = useState("");
  const place = useSearchKeys();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const groups = useMemo(() => groupsOf(document), [document]);
  const [audience, setAudience] = useState<Audience>("gateway");
  const searched = search.trim() !== "";
  const shown = searched
    ? filterOperations(groups, search, text.summaries)
    : groups.filter(({ tag }) => audienceOf(tag) === audience);
  const ids = shown.flatMap((group) => group.operations.map((operation) => operation.operationId));
  useOpenFromAddress((id) => {
    const found = groups.find(({ operations }) => operations.some(({ operationId }) => operationId === id));
    if (found !== undefined) setAudience(audienceOf(found.tag));
    setSearch("");
    setOpen((before) => toggled(before, id, true));
  });
  const allOpen = ids.length > 0 && ids.every((id) => open.has(id));
  const shared = {
    serverUrl: document.servers[0]?.url ?? "",
    open,
    onToggle: (id: string, isOpen: boolean) => setOpen(toggled(open, id, isOpen)),
  };
  return (
    <ComponentsContext.Provider value={document.components.schemas}>
      <PageHeader
        large
        title={text.title}
        lead={text.lead}
        actions={
          <a className={buttonClass()} href="/openapi.json">
            <Download aria-hidden className="size-4" />
            {text.download}
          </a>
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-[240px_minmax(0,1fr)]">
        <Contents groups={shown} onOpen={(id) => setOpen((before) => toggled(before, id, true))} />
        <div ref={place} className="grid min-w-0 gap-6">
          <AudienceChoice
            value={audience}
            lead={searched ? text.searchesAll : text.audienceLeads[audience]}
            onChange={(chosen) => {
              setSearch("");
              setAudience(chosen);
            }}
          />
          <div className="flex flex-wrap items-center gap-2">
            <Search place={place} value={search} onChange={setSearch} />
            <Button size="sm" onClick={() => setOpen(allOpen ? new Set() : new Set(ids))}>
              {allOpen ? text.collapseAll : text.expandAll}
            </Button>
            <span role="status" className="text-sm text-muted">
              {plural(text.found, ids.length, format.locale)}
            </span>
          </div>
          {ids.length === 0 && <NoMatches onClear={() => setSearch("")} />}
          <Groups groups={shown} signedIn={signedIn} {...shared} />
        </div>
      </div>
    </ComponentsContext.Provider>
  );
}

function NoMatches(props: { onClear: () => void }) {
  const text = useMessages("common");
  return (
    <EmptyState
      title={text.noMatches}
      action={<Button onClick={props.onClear}>{text.clearFilters}</Button>}
    />
  );
}

/** Enter opens the first operation that is found. */
function Search(props: {
  value: string;
  place: RefObject<HTMLDivElement | null>;
  onChange: (typed: string) => void;
}) {
  const text = useMessages("reference");
  const { place, ...rest } = props;
  return (
    <div className="max-sm:w-full sm:w-80">
      <SearchInput
        label={text.search}
        {...rest}
        onKeyDown={(event) => {
          if (!moveInResults(event, place.current)) return;
          const first = place.current?.querySelector<HTMLElement>("[data-result]");
          first?.focus();
          if (first?.ariaExpanded === "false") first.click();
        }}
        aria-keyshortcuts="/ Control+K"
      />
    </div>
  );
}

/** Whose operations are shown; a search looks into all. */
function AudienceChoice(props: { value: Audience; lead: string; onChange: (chosen: Audience) => void }) {
  const text = useMessages("reference");
  return (
    <div className="grid gap-2">
      <Segmented
        className="w-fit"
        label={text.audience}
        value={props.value}
        options={audiences.map((value) => ({ value, label: text.audiences[value] }))}
        onChange={props.onChange}
      />
      <p className="text-sm text-muted">{props.lead}</p>
    </div>
  );
}

interface ShownOperations {
  serverUrl: string;
  open: ReadonlySet<string>;
  onToggle: (id: string, open: boolean) => void;
}

function Groups(props: ShownOperations & { groups: OperationGroup[]; signedIn: boolean }) {
  const { groups, signedIn, ...shared } = props;
  return (
    <SignedInContext.Provider value={signedIn}>
      {groups.map((group) => (
        <Group key={group.tag} group={group} {...shared} />
      ))}
    </SignedInContext.Provider>
  );
}

function Group(props: ShownOperations & { group: OperationGroup }) {
  const text = useMessages("reference");
  const { group } = props;
  return (
    <section id={anchorOf(group.tag)} className="grid scroll-mt-20 gap-3">
      <h2 className="text-xl font-semibold">{text.tags[group.tag] ?? group.tag}</h2>
      {group.operations.map((operation) => (
        <OperationView
          key={operation.operationId}
          operation={operation}
          serverUrl={props.serverUrl}
          open={props.open.has(operation.operationId)}
          onToggle={(open) => props.onToggle(operation.operationId, open)}
        />
      ))}
    </section>
  );
}

/** Shows the operation of the address, also when that changes. */
function useOpenFromAddress(show: (id: string) => void) {
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    function follow() {
      const id = decodeURIComponent(window.location.hash.slice(1));
      if (id === "" || isPartAnchor(id)) return;
      latest.current(id);
      // Once the part of the API that has it is drawn.
      requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView()));
    }
    follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
}

function toggled(before: ReadonlySet<string>, id: string, open: boolean): ReadonlySet<string> {
  const next = new Set(before);
  if (open) next.add(id);
  else next.delete(id);
  return next;
}

function filterOperations(
  groups: OperationGroup[],
  search: string,
  summaries: Record<string, string>,
): OperationGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  const fits = (operation: ShownOperation) => {
    const { method, path, operationId, summary, description, parameters, requestBody } = operation;
    const fields = JSON.stringify([parameters, requestBody]);
    const own = [method, path, operationId, summary, summaries[operationId], description, fields];
    const whole = own.join(" ").toLowerCase();
    return words.every((word) => whole.includes(word));
  };
  return groups
    .map((group) => ({ ...group, operations: group.operations.filter(fits) }))
    .filter((group) => group.operations.length > 0);
}
