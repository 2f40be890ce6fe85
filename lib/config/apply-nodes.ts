import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { and, eq, notInArray } from "drizzle-orm";
import type { Orm } from "@/lib/db/client";
import { nodes } from "@/lib/db/schema/catalog";
import { decryptCredential, encryptCredential, type StoredCredential } from "./credentials";
import type { NodeEntry } from "./file-schema";
import type { KeyRing } from "./secrets";

type NodeRow = typeof nodes.$inferSelect;

/** Makes the declared nodes so, and lets go of those no longer declared. Shape: true when anything changed. */
export async function declareNodes(tx: Orm, entries: readonly NodeEntry[], ring: KeyRing): Promise<boolean> {
  const existing = await nodesByName(tx);
  let changed = await releaseNodes(
    tx,
    entries.map((entry) => entry.name),
  );
  for (const entry of entries) {
    const row = existing.get(entry.name);
    changed =
      (await (row
        ? updateNode(tx, row, entry, ring)
        : insertNode(tx, entry, ring, { managedByFile: true }))) || changed;
  }
  return changed;
}

/** Adds nodes that are missing and keeps the credential of the others current; the rest of them is the admin's. */
export async function ensureNodes(tx: Orm, entries: readonly NodeEntry[], ring: KeyRing): Promise<boolean> {
  const existing = await nodesByName(tx);
  let changed = false;
  for (const entry of entries) {
    const row = existing.get(entry.name);
    if (row === undefined) changed = await insertNode(tx, entry, ring, {});
    else if (!row.managedByFile)
      changed = (await writeNode(tx, row, credentialOf(row, entry.apiKey, ring))) || changed;
  }
  return changed;
}

/** Points the simulated nodes at this process's provider, or switches them off when it has none. */
export async function ensureSimulatedNodes(
  tx: Orm,
  entries: readonly NodeEntry[],
  ring: KeyRing,
): Promise<boolean> {
  const existing = await nodesByName(tx);
  let changed = false;
  for (const entry of entries) {
    const row = existing.get(entry.name);
    if (row === undefined) changed = await insertNode(tx, entry, ring, { simulated: true });
    else if (row.simulated)
      changed =
        (await writeNode(tx, row, {
          baseUrl: entry.baseUrl,
          enabled: true,
          ...credentialOf(row, entry.apiKey, ring),
        })) || changed;
  }
  return (
    (await switchOff(
      tx,
      entries.map((entry) => entry.name),
    )) || changed
  );
}

/** While a rotation lasts, brings credentials under the previous key under the current one. */
export async function rewrapCredentials(tx: Orm, ring: KeyRing): Promise<boolean> {
  if (ring.previous === null || ring.previous.id === ring.current.id) return false;
  const rows = await tx.select().from(nodes).where(eq(nodes.credentialKeyId, ring.previous.id));
  for (const row of rows) await writeNode(tx, row, credentialOf(row, storedSecret(row, ring), ring));
  return rows.length > 0;
}

async function nodesByName(tx: Orm): Promise<Map<string, NodeRow>> {
  const rows = await tx.select().from(nodes);
  return new Map(rows.map((row) => [row.name, row]));
}

async function releaseNodes(tx: Orm, names: string[]): Promise<boolean> {
  const released = await tx
    .update(nodes)
    .set({ managedByFile: false, updatedAt: new Date() })
    .where(and(eq(nodes.managedByFile, true), notInArray(nodes.name, names)))
    .returning({ id: nodes.id });
  return released.length > 0;
}

async function switchOff(tx: Orm, kept: string[]): Promise<boolean> {
  const off = await tx
    .update(nodes)
    .set({ enabled: false, updatedAt: new Date() })
    .where(and(eq(nodes.simulated, true), eq(nodes.enabled, true), notInArray(nodes.name, kept)))
    .returning({ id: nodes.id });
  return off.length > 0;
}

async function insertNode(
  tx: Orm,
  entry: NodeEntry,
  ring: KeyRing,
  marks: Partial<NodeRow>,
): Promise<boolean> {
  const id = randomUUID();
  const { apiKey, ...columns } = entry;
  const sealed = apiKey === null ? {} : encryptCredential(ring, id, apiKey);
  await tx.insert(nodes).values({ id, ...columns, ...sealed, ...marks });
  return true;
}

function updateNode(tx: Orm, row: NodeRow, entry: NodeEntry, ring: KeyRing): Promise<boolean> {
  const { apiKey, ...columns } = entry;
  return writeNode(tx, row, {
    ...columns,
    ...credentialOf(row, apiKey, ring),
    simulated: false,
    managedByFile: true,
  });
}

async function writeNode(tx: Orm, row: NodeRow, wanted: Partial<NodeRow>): Promise<boolean> {
  const differs = Object.entries(wanted).some(
    ([name, value]) => !isDeepStrictEqual(row[name as keyof NodeRow], value),
  );
  if (!differs) return false;
  await tx
    .update(nodes)
    .set({ ...wanted, updatedAt: new Date() })
    .where(eq(nodes.id, row.id));
  return true;
}

/** The columns for a credential; what is stored stays when it is the same secret under the current key. */
function credentialOf(row: NodeRow, apiKey: string | null, ring: KeyRing): Partial<NodeRow> {
  if (apiKey === null) return { credential: null, credentialKeyId: null, apiKeyHint: null };
  if (row.credentialKeyId === ring.current.id && storedSecret(row, ring) === apiKey) return {};
  const sealed: StoredCredential = encryptCredential(ring, row.id, apiKey);
  return sealed;
}

function storedSecret(row: NodeRow, ring: KeyRing): string | null {
  const { credential, credentialKeyId } = row;
  return credential && credentialKeyId
    ? decryptCredential(ring, row.id, { credential, credentialKeyId })
    : null;
}
