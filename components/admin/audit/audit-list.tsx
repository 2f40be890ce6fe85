"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import type { AdminModel, AdminPlan, AuditEntry } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { actionText, summaryText } from "../../changes/change-words";
import { useChangeWords } from "../../changes/use-change-words";
import { fill, plural } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import type { Column } from "../../ui/columns";
import { DataTable } from "../../ui/data-table";
import { TextLink } from "../../ui/link";

/** An entry; the newest of one change of several accounts stands for all of them, which can be shown below it. */
type AuditRow = AuditEntry & { place: "single" | "head" | "member" };

/** The change of several accounts whose entries are shown. */
interface OpenBatch {
  open: string | null;
  entries: AuditEntry[];
  onOpen: (batchId: string | null) => unknown;
}

/** The entries of the audit log. */
export function AuditList(props: {
  entries: AuditEntry[];
  onOpen: (entry: AuditEntry) => void;
  batch?: OpenBatch;
}) {
  const text = useMessages("audit");
  const { batch } = props;
  return (
    <DataTable
      opens
      list="audit"
      caption={text.caption}
      columns={useAuditColumns()}
      rows={props.entries.flatMap((entry) => rowsOf(entry, batch))}
      rowId={({ place, id }) => `${place} ${id}`}
      actionsHead={text.details}
      actions={(row) =>
        row.place === "head" ? (
          <BatchButton row={row} batch={batch} />
        ) : (
          <Button
            size="sm"
            // A card gives its actions a little less than their height, which a button with a border would leave.
            className="max-md:my-1"
            data-opens
            aria-label={fill("{details}: {action}", { details: text.details, action: actionText(row, text) })}
            onClick={() => props.onOpen(row)}
          >
            {text.details}
          </Button>
        )
      }
    />
  );
}

function rowsOf(entry: AuditEntry, batch: OpenBatch | undefined): AuditRow[] {
  if (entry.batchCount === 1) return [{ ...entry, place: "single" }];
  const members = batch !== undefined && batch.open === entry.batchId ? batch.entries : [];
  return [
    { ...entry, place: "head" },
    ...members.map((member): AuditRow => ({ ...member, place: "member" })),
  ];
}

function BatchButton(props: { row: AuditRow; batch: OpenBatch | undefined }) {
  const text = useMessages("audit");
  const { row, batch } = props;
  const open = batch?.open === row.batchId;
  const Icon = open ? ChevronDown : ChevronRight;
  const label = fill(open ? text.hideBatch : text.showBatch, { count: row.batchCount });
  return (
    <Button
      size="sm"
      className="max-md:my-1"
      data-opens
      aria-expanded={open}
      aria-label={fill("{label}: {action}", { label, action: actionText(row, text) })}
      onClick={() => batch?.onOpen(open ? null : row.batchId)}
    >
      <Icon aria-hidden className="size-4" />
      {label}
    </Button>
  );
}

function useAuditColumns(): Column<AuditRow>[] {
  const text = useMessages("audit");
  const format = useFormat();
  const wordsOf = useChangeWords();
  return [
    {
      id: "time",
      head: text.time,
      card: "plain",
      className: "whitespace-nowrap",
      cell: (entry) => (
        <time dateTime={entry.createdAt} className="tabular">
          {format.dateTime(entry.createdAt)}
        </time>
      ),
    },
    {
      id: "who",
      head: text.who,
      card: "plain",
      className: "max-w-40 truncate",
      cell: (entry) => <ActorLink entry={entry} />,
    },
    {
      id: "action",
      head: text.action,
      card: "title",
      className: "min-w-32 font-medium",
      cell: (row) => (
        <span title={row.action} className={row.place === "member" ? "font-normal md:pl-6" : undefined}>
          {actionText(row, text)}
        </span>
      ),
    },
    {
      id: "target",
      head: text.target,
      card: "plain",
      className: "w-1/4 max-w-0 truncate",
      cell: (row) =>
        row.place === "head" ? (
          plural(
            row.targetType === "user" ? text.batches.user : text.batches.models,
            row.batchCount,
            format.locale,
          )
        ) : (
          <TargetLink entry={row} />
        ),
    },
    {
      id: "changes",
      head: text.changes,
      card: "plain",
      className: "w-2/5 max-w-0 wrap-anywhere",
      cell: (entry) => <Summary text={summaryText(entry, wordsOf(entry))} />,
    },
    {
      id: "ip",
      head: text.ip,
      from: "2xl",
      card: "plain",
      cell: (entry) => <span className="font-mono text-xs">{entry.ip}</span>,
    },
  ];
}

/** What changed, in two lines. */
function Summary({ text }: { text: string }) {
  if (text === "") return null;
  return (
    <span title={text} className="line-clamp-2">
      {text}
    </span>
  );
}

/** Who did it, as a link to the account. */
export function ActorLink({ entry }: { entry: AuditEntry }) {
  const text = useMessages("audit");
  const name = entry.actorName || text.system;
  return entry.actorId === null ? name : <TextLink href={`/admin/users/${entry.actorId}`}>{name}</TextLink>;
}

/** What was changed, as a link to its page where it still has one. */
export function TargetLink({ entry }: { entry: AuditEntry }) {
  const models =
    useRead("GET /api/admin/models", {}, { enabled: entry.targetType === "price" }).data?.data ?? [];
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  const href = targetHref(entry, { models, plans });
  if (href === null) return <Target entry={entry} />;
  return (
    <TextLink href={href}>
      <Target entry={entry} />
    </TextLink>
  );
}

/** Deleted accounts have a page; what else was deleted has none. A price names its model by the alias. */
function targetHref(
  { targetType, targetId, names }: AuditEntry,
  { models, plans }: { models: AdminModel[]; plans: AdminPlan[] },
): string | null {
  const isNamed = names[targetId] !== undefined;
  switch (targetType) {
    case "user":
      return `/admin/users/${targetId}`;
    case "node":
      return isNamed ? `/admin/nodes?node=${targetId}` : null;
    case "model":
      return isNamed ? `/admin/models?model=${targetId}` : null;
    case "price": {
      const model = models.find(({ alias }) => alias === targetId);
      return model === undefined ? null : `/admin/models?model=${model.id}&tab=prices`;
    }
    case "plan":
      return plans.some(({ id }) => String(id) === targetId) ? `/admin/plans?plan=${targetId}` : null;
    case "project":
      return `/admin/projects?project=${targetId}`;
    case "setting":
      return "/admin/settings";
    default:
      return null;
  }
}

/** What was changed, by its name; an id only where nothing has a name, and then its beginning. */
function Target(props: { entry: AuditEntry }) {
  const text = useMessages("audit");
  const { targetType, targetId, names } = props.entry;
  const name =
    (targetType === "project" ? names[targetId] : undefined) ??
    nameOf(props.entry) ??
    names[targetId] ??
    (targetType === "invitation" ? text.noNote : undefined) ??
    (targetType === "setting" ? settingName(targetId, text) : undefined) ??
    (UUID.test(targetId) ? `${targetId.slice(0, 8)}…` : targetId);
  return (
    <span title={targetId}>
      <span className="text-muted">{targetTypeText(targetType, text)}</span> {name}
    </span>
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** The translated kind of a target. */
function targetTypeText(targetType: string, text: Messages["audit"]): string {
  return Object.entries(text.targetTypes).find(([name]) => name === targetType)?.[1] ?? targetType;
}

/** A setting is told like the field that the entry shows of it. */
function settingName(targetId: string, text: Messages["audit"]): string | undefined {
  const field = targetId.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.entries(text.fieldNames).find(([name]) => name === field)?.[1];
}

function nameOf(entry: AuditEntry): string | null {
  if (entry.actorId === entry.targetId && entry.actorName !== "") return entry.actorName;
  for (const record of [entry.after, entry.before]) {
    if (typeof record !== "object" || record === null) continue;
    const members = new Map<string, unknown>(Object.entries(record));
    for (const member of ["username", "alias", "name", "title", "note"]) {
      const value = members.get(member);
      if (typeof value === "string" && value !== "") return value;
    }
  }
  return null;
}
