"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { ErrorPanel } from "../api/error-panel";
import { useLatestData } from "../api/use-latest-data";
import { type Plural, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { PageHeader } from "../ui/card";
import { ColumnsPlace, ColumnsSlot } from "../ui/columns-place";
import { useRowLayout } from "../ui/row-layout";
import { Dimmed, EmptyState, ProgressLine, SkeletonRows } from "../ui/states";
import { FilterBar } from "./filter-bar";
import type { Filter, FilterTexts } from "./filters";
import type { ListState } from "./list-state";
import { Pages, type Position, type RowPage } from "./pages";
import { isTimeTooLong, ShorterTimes } from "./shorter-times";
import { useRowKeys } from "./use-row-keys";

/** Rows with the state of the query that reads them. */
export interface ListSource<T> {
  page: RowPage<T> | undefined;
  pending: boolean;
  fetching: boolean;
  /** Why there is nothing newer; null while all is well. */
  problem: unknown;
  /** The rows are older than what was asked for, or of another selection. */
  old: boolean;
  otherSelection: boolean;
  readAt: number;
  retry: () => void;
}

/** The rows of a query; those of the previous selection while the next one fails. */
export function useListSource<T>(query: UseQueryResult<RowPage<T>>): ListSource<T> {
  const { data: page, ...kept } = useLatestData(query);
  return {
    ...kept,
    page,
    pending: page === undefined && kept.problem === null,
    fetching: query.isFetching && !query.isPending,
    retry: () => void query.refetch(),
  };
}

/** Rows that came with the page. */
export function givenRows<T>(rows: T[]): ListSource<T> {
  return {
    page: { data: rows },
    pending: false,
    fetching: false,
    problem: null,
    old: false,
    otherSelection: false,
    readAt: 0,
    retry: () => {},
  };
}

/** What starts a new row. */
interface Primary {
  label: string;
  onClick: () => void;
}

export interface ListProps<T, Name extends string> {
  source: ListSource<T>;
  /** Filters and position; without it the list has neither. */
  state?: FilterTexts<Name> & Position;
  filters?: Filter<NoInfer<Name>>[];
  /** Below the rare filters. */
  moreNote?: ReactNode;
  /** Older pages are reached by cursor instead of by number. */
  byCursor?: boolean;
  /** Rows of one page. */
  pageSize?: number;
  /** Beside the pages. */
  foot?: ReactNode;
  /** Filters rows here instead of at the server; all rows must be there. */
  matches?: (row: T) => boolean;
  /** The number of rows in words. */
  count?: Plural;
  /** How many rows match on all pages, where a page does not say; null while that is not known. */
  matching?: number | null;
  /** What is said where there was never a row. */
  empty: ReactNode;
  emptyBody?: ReactNode;
  /** What else is said where the filters match nothing. */
  noMatches?: ReactNode;
  primary?: Primary;
  /** Whether pages are of older and newer rows; else of previous and next ones. */
  byTime?: boolean;
  /** Further controls beside the filters. */
  controls?: ReactNode;
  /** Between the filters and the rows. */
  notice?: ReactNode;
  /** In place of the rows, their states and pages. */
  instead?: ReactNode;
  /** Inside another page: its table has a menu of columns, as that of a page always has. */
  hasColumns?: boolean;
  /** Inside another page: beside the menu of columns. */
  beside?: ReactNode;
  /** Draws the rows, of which there is at least one. */
  children: (rows: T[]) => ReactNode;
}

/** A page whose subject is one list. */
export function ListPage<T, Name extends string>(
  props: ListProps<T, Name> & {
    title: string;
    lead: string;
    /** Further actions beside the primary one. */
    actions?: ReactNode;
    /** Between the head and the list. */
    above?: ReactNode;
  },
) {
  const { title, lead, actions, above, ...list } = props;
  return (
    <ColumnsPlace>
      <PageHeader
        compact
        title={title}
        lead={lead}
        actions={
          <>
            <ColumnsSlot />
            {actions}
            {props.primary !== undefined && <PrimaryButton {...props.primary} />}
          </>
        }
      />
      <div className="grid gap-4">
        {above}
        <Rows {...list} />
      </div>
    </ColumnsPlace>
  );
}

function PrimaryButton(props: Primary) {
  return (
    <Button variant="primary" data-primary onClick={props.onClick}>
      <Plus aria-hidden className="size-4" />
      {props.label}
    </Button>
  );
}

/** A list inside a page. */
export function List<T, Name extends string>(props: ListProps<T, Name>) {
  if (props.hasColumns !== true) return <Rows {...props} />;
  return (
    <ColumnsPlace>
      <Rows
        {...props}
        end={
          <div className="flex flex-wrap justify-end gap-2">
            <ColumnsSlot />
            {props.beside}
          </div>
        }
      />
    </ColumnsPlace>
  );
}

/** A list in all its states: loading, failed with older rows, never had any, nothing matches, rows and their pages. */
function Rows<T, Name extends string>(props: ListProps<T, Name> & { end?: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useRowKeys(box);
  const common = useMessages("common");
  const { source, state } = props;
  const rows = source.page?.data;
  const isFiltered = state?.filtered === true;
  const shown = rows?.filter(props.matches ?? (() => true));
  const never = rows?.length === 0 && !source.otherSelection && isWhole(props);
  if (props.instead !== undefined)
    return (
      <div ref={box} className="grid min-w-0 gap-4">
        <Filters {...props} />
        {props.instead}
      </div>
    );
  return (
    <div ref={box} className="relative grid min-w-0 gap-4">
      {!never && <Filters {...props} />}
      <div className="absolute inset-x-0 -top-2">
        <ProgressLine active={source.fetching} />
      </div>
      {props.notice}
      {source.problem !== null && (
        <ErrorPanel
          error={source.problem}
          {...(isTimeTooLong(source.problem) ? { action: shorterTimes(props) } : { onRetry: source.retry })}
          dataFrom={source.readAt}
          otherSelection={source.otherSelection}
        />
      )}
      {source.pending && <SkeletonRows label={common.loading} rows={8} height="h-11" />}
      {shown !== undefined && (
        <Dimmed active={source.old}>
          {never && <NeverAny {...props} />}
          {!never && shown.length === 0 && (
            <NoMatches {...(isFiltered && { state })}>{props.noMatches}</NoMatches>
          )}
          {shown.length > 0 && props.children(shown)}
        </Dimmed>
      )}
      {state !== undefined && source.page !== undefined && !(props.matches && isFiltered) && (
        <Pages page={source.page} {...props} state={state} />
      )}
    </div>
  );
}

function shorterTimes<T, Name extends string>({ filters, state }: ListProps<T, Name>) {
  return filters !== undefined && state !== undefined && <ShorterTimes filters={filters} state={state} />;
}

/** Whether what was read is the whole list from its start: an empty answer then means that there are no rows. */
function isWhole<T, Name extends string>({ state, matches }: ListProps<T, Name>): boolean {
  if (state === undefined) return true;
  return (matches !== undefined || !state.filtered) && state.page === 1 && state.cursor === null;
}

function Filters<T, Name extends string>(props: ListProps<T, Name> & { end?: ReactNode }) {
  const format = useFormat();
  const { state, filters, source, matches } = props;
  // On a phone a count from elsewhere would take a line from the first row.
  const count = useRowLayout() === "cards" && props.matching !== undefined ? undefined : props.count;
  if (state === undefined || filters === undefined)
    return props.end && <div className="flex justify-end max-md:hidden">{props.end}</div>;
  const known = props.matching === undefined ? totalOf(source) : (props.matching ?? undefined);
  const found = matches && state.filtered ? source.page?.data.filter(matches).length : known;
  return (
    <FilterBar
      state={state}
      filters={filters}
      moreNote={props.moreNote}
      end={props.end}
      {...(count !== undefined && {
        found: found === undefined ? "" : plural(count, found, format.locale),
      })}
    >
      {props.controls}
    </FilterBar>
  );
}

/** How many rows there are; undefined when that is not known. */
function totalOf<T>({ page }: ListSource<T>): number | undefined {
  return page?.total === undefined ? page?.data.length : (page.total ?? undefined);
}

function NeverAny<T, Name extends string>({ empty, emptyBody, primary }: ListProps<T, Name>) {
  return (
    <div className="rounded-lg border p-4">
      <EmptyState title={empty} action={primary && <PrimaryButton {...primary} />} />
      {emptyBody}
    </div>
  );
}

function NoMatches(props: { state?: Pick<ListState, "clear"> | undefined; children: ReactNode }) {
  const common = useMessages("common");
  const { state } = props;
  return (
    <div className="rounded-lg border p-4">
      <EmptyState
        title={common.noMatches}
        action={state && <Button onClick={() => state.clear()}>{common.clearFilters}</Button>}
      />
      {props.children}
    </div>
  );
}
