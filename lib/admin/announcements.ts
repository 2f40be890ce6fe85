import { count, desc, eq, sql } from "drizzle-orm";
import type { Orm, Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { announcements } from "@/lib/db/schema/catalog";
import { DAY_MS } from "@/lib/kernel/durations";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { type Actor, recordAudit, requireFound, uuidOf } from "./audit";
import { type AdminSettings, readSettings } from "./settings";

/** The most announcements that are kept. */
const MAX_ANNOUNCEMENTS = 100;

/** How long users can read an announcement after its end. */
const LISTED_AFTER_END_MS = 90 * DAY_MS;

type AnnouncementRow = typeof announcements.$inferSelect;

/** The fields that an admin writes. */
export interface AnnouncementFields {
  title: string;
  text: string;
  /** Title and text for readers of Chinese. Empty: the ones above. */
  titleZh: string;
  textZh: string;
  tone: "info" | "warning";
  public: boolean;
  from: Date;
  /** The end, not included. Null: shown until the announcement is deleted. */
  until: Date | null;
}

/** A change; absent fields stay. */
export type AnnouncementChange = {
  [Name in keyof AnnouncementFields]?: AnnouncementFields[Name] | undefined;
};

/** An announcement as the API shows it. Source: docs/contract.md#announcements. */
export type AnnouncementRecord = ReturnType<typeof recordOf>;

/** The announcements and other notices of admins for users and visitors. */
export interface Notices
  extends Pick<
    AdminSettings,
    "statusPage" | "registration" | "newAccountQuotaCents" | "inviteRewardCents" | "contact" | "name"
  > {
  /** All stored announcements, the latest beginning first. */
  announcements: AnnouncementRecord[];
}

/** Reads the notices of admins for users and visitors. */
export async function readNotices(db: Session): Promise<Notices> {
  const [settings, all] = await Promise.all([readSettings(db), listAnnouncements(db)]);
  const { statusPage, registration, newAccountQuotaCents, inviteRewardCents, contact, name } = settings;
  return {
    statusPage,
    registration,
    newAccountQuotaCents,
    inviteRewardCents,
    contact,
    name,
    announcements: all,
  };
}

/** Every announcement, the latest beginning first. */
export async function listAnnouncements(db: Session): Promise<AnnouncementRecord[]> {
  const rows = await db.orm
    .select()
    .from(announcements)
    .orderBy(desc(announcements.from), desc(announcements.id))
    .limit(MAX_ANNOUNCEMENTS);
  return rows.map(recordOf);
}

/** True while an announcement is shown. */
export function isCurrent({ from, until }: Pick<AnnouncementRecord, "from" | "until">, now: Date): boolean {
  const moment = now.toISOString();
  return from <= moment && (until === null || moment < until);
}

/**
 * True while the list of users contains an announcement: from its beginning on, a public one also before that, and for
 * a while after its end.
 */
export function isListed(
  { from, until, ...one }: Pick<AnnouncementRecord, "from" | "until" | "public">,
  now: Date,
): boolean {
  const oldest = new Date(now.getTime() - LISTED_AFTER_END_MS).toISOString();
  return (one.public || from <= now.toISOString()) && (until === null || oldest < until);
}

/** Makes an announcement. Throws: INVALID_REQUEST for an end before its beginning, CONFLICT when there are too many. */
export async function createAnnouncement(
  db: Session,
  actor: Actor,
  fields: AnnouncementFields,
): Promise<AnnouncementRecord> {
  requireOrder({ ...fields, from: fields.from ?? new Date() });
  return db.orm.transaction(async (tx) => {
    // No other transaction can insert one between the count and the insert.
    await tx.execute(sql`LOCK TABLE ${announcements} IN SHARE ROW EXCLUSIVE MODE`);
    const { total } = onlyRow(await tx.select({ total: count() }).from(announcements));
    if (total >= MAX_ANNOUNCEMENTS) {
      throw new GatewayError("CONFLICT", `There are ${MAX_ANNOUNCEMENTS} announcements. Delete one first.`);
    }
    const [row] = await tx.insert(announcements).values(fields).returning();
    const after = recordOf(requireFound(row, "announcement"));
    await audit(tx, actor, "create", after.id, { after });
    return after;
  });
}

/** Changes an announcement. Throws: NOT_FOUND, INVALID_REQUEST for an end before its beginning. */
export async function updateAnnouncement(
  db: Session,
  actor: Actor,
  id: string,
  change: AnnouncementChange,
): Promise<AnnouncementRecord> {
  return db.orm.transaction(async (tx) => {
    const before = await lock(tx, id);
    if (Object.keys(change).length === 0) return recordOf(before);
    requireOrder({ from: before.from, until: before.until, ...change });
    const [row] = await tx
      .update(announcements)
      .set({ ...change, updatedAt: new Date() })
      .where(eq(announcements.id, before.id))
      .returning();
    const after = recordOf(requireFound(row, "announcement"));
    await audit(tx, actor, "update", after.id, { before: recordOf(before), after });
    return after;
  });
}

/** Deletes an announcement. Throws: NOT_FOUND. */
export async function deleteAnnouncement(db: Session, actor: Actor, id: string): Promise<void> {
  await db.orm.transaction(async (tx) => {
    const before = await lock(tx, id);
    await tx.delete(announcements).where(eq(announcements.id, before.id));
    await audit(tx, actor, "delete", before.id, { before: recordOf(before) });
  });
}

async function lock(tx: Orm, id: string): Promise<AnnouncementRow> {
  const [row] = await tx
    .select()
    .from(announcements)
    .where(eq(announcements.id, uuidOf(id, "announcement")))
    .for("update");
  return requireFound(row, "announcement");
}

function audit(
  tx: Orm,
  actor: Actor,
  act: "create" | "update" | "delete",
  targetId: string,
  states: { before?: AnnouncementRecord; after?: AnnouncementRecord },
): Promise<void> {
  const target = { targetType: "announcement", targetId } as const;
  return recordAudit(tx, actor, { action: `announcement.${act}`, ...target, ...states });
}

function requireOrder({ from, until }: { from?: Date | undefined; until?: Date | null | undefined }): void {
  if (from === undefined || until === undefined || until === null) return;
  if (until.getTime() <= from.getTime()) throw badField("until", "must be later than the beginning");
}

function recordOf(row: AnnouncementRow) {
  return {
    id: row.id,
    title: row.title,
    text: row.text,
    titleZh: row.titleZh,
    textZh: row.textZh,
    tone: row.tone,
    public: row.public,
    from: row.from.toISOString(),
    until: row.until?.toISOString() ?? null,
    updatedAt: row.updatedAt.toISOString(),
  };
}
