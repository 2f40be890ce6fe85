import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { nodes } from "@/lib/db/schema/catalog";
import { credentialText } from "@/lib/shared/credentials/credential";
import { askedCredential, type CredentialFields } from "./asked-credential";
import { type Change, differing } from "./change";
import { encryptCredential } from "./credentials";
import type { NodeEntry } from "./file-schema";
import { credentialColumns, formOf, storedText } from "./node-credential";
import type { KeyRing } from "./secrets";
import { StartupError } from "./startup-error";
import type { NodeRow } from "./stored";

/** Columns that the configuration determines; the database sets the others. */
type NodeColumns = Omit<NodeRow, "createdAt" | "updatedAt">;

/**
 * Computes the wanted nodes from the stored ones and the declarations of the file, the environment and the simulated
 * provider, and the changes that lead to them.
 */
export class DeclaredNodes {
  /** By id. */
  readonly #stored: ReadonlyMap<string, NodeRow>;
  /** By name. */
  readonly #wanted: Map<string, NodeColumns>;
  readonly #ring: KeyRing;
  readonly #released: string[] = [];
  readonly #renamed: { from: string; to: string }[] = [];

  constructor(stored: readonly NodeRow[], ring: KeyRing) {
    this.#stored = new Map(stored.map((row) => [row.id, row]));
    this.#wanted = new Map(stored.map((row) => [row.name, row]));
    this.#ring = ring;
  }

  /** Every node's id by its name. */
  get ids(): ReadonlyMap<string, string> {
    return new Map([...this.#wanted].map(([name, { id }]) => [name, id]));
  }

  /** The names of nodes that the file no longer declares. */
  get released(): readonly string[] {
    return this.#released;
  }

  /** The stored nodes that take the file's spelling of their name. */
  get renamed(): readonly { from: string; to: string }[] {
    return this.#renamed;
  }

  /** During a key rotation, encrypts credentials of the previous key with the current one. */
  reencrypt(): void {
    const { previous, current } = this.#ring;
    if (previous === null || previous.id === current.id) return;
    for (const row of this.#wanted.values()) {
      if (row.credentialKeyId === previous.id) this.#change(row, this.#reencrypted(row));
    }
  }

  /**
   * Applies the file's nodes; nodes that it no longer declares stop being managed by it. Throws: StartupError for a name
   * that differs from those of several stored nodes in case only. Source: docs/contract.md#node-names.
   */
  declare(entries: readonly NodeEntry[]): void {
    this.#takeSpellings(entries.map((entry) => entry.name));
    const names = new Set(entries.map((entry) => entry.name));
    for (const row of this.#wanted.values()) {
      if (!row.managedByFile || names.has(row.name)) continue;
      this.#change(row, { managedByFile: false });
      this.#released.push(row.name);
    }
    for (const entry of entries) {
      const { apiKey: _, credential: __, ...columns } = entry;
      const row = this.#wanted.get(columns.name);
      const flags = { simulated: false, managedByFile: true };
      if (row === undefined) this.#add(entry, flags);
      else this.#change(row, { ...columns, ...this.#credential(row, entry), ...flags });
    }
  }

  /** Adds missing nodes and updates the credential of existing ones; admins may change everything else. */
  ensure(entries: readonly NodeEntry[]): void {
    for (const entry of entries) {
      const row = this.#wanted.get(entry.name);
      if (row === undefined) this.#add(entry, {});
      else if (!row.managedByFile) this.#change(row, this.#credential(row, entry));
    }
  }

  /** Points the nodes of this process's simulated provider at it; disables all simulated nodes when it is off. */
  simulate(entries: readonly NodeEntry[]): void {
    for (const entry of entries) {
      const row = this.#wanted.get(entry.name);
      if (row === undefined) this.#add(entry, { simulated: true });
      else if (row.simulated) {
        const credential = this.#credential(row, entry);
        this.#change(row, { baseUrl: entry.baseUrl, enabled: true, ...credential });
      }
    }
    if (entries.length > 0) return;
    for (const row of this.#wanted.values()) {
      if (row.simulated) this.#change(row, { enabled: false });
    }
  }

  /** The changes from the stored nodes to the wanted ones. */
  changes(): Change[] {
    return [...this.#wanted.values()].flatMap((wanted): Change[] => {
      const row = this.#stored.get(wanted.id);
      if (row === undefined) return [(tx) => tx.insert(nodes).values(wanted)];
      const columns = differing<NodeColumns>(row, wanted);
      if (columns === null) return [];
      const update: Change = (tx) =>
        tx
          .update(nodes)
          .set({ ...columns, updatedAt: new Date() })
          .where(eq(nodes.id, row.id));
      return [update];
    });
  }

  /** Renames each stored node whose name differs from a declared one in case only. */
  #takeSpellings(names: readonly string[]): void {
    const missing = names.filter((name) => !this.#wanted.has(name));
    for (const to of missing) {
      const rows = [...this.#wanted.values()].filter((row) => row.name.toLowerCase() === to.toLowerCase());
      const [row, ...others] = rows;
      if (row === undefined) continue;
      if (others.length > 0) throw ambiguous(to, rows);
      this.#renamed.push({ from: row.name, to });
      this.#wanted.delete(row.name);
      this.#change({ ...row, name: to }, {});
    }
  }

  #add(entry: NodeEntry, flags: Partial<NodeColumns>): void {
    const { apiKey: _, credential: __, ...columns } = entry;
    const id = randomUUID();
    const sealed = credentialColumns(this.#ring, id, askedCredential(entry) ?? null);
    const row = { id, ...columns, ...sealed, simulated: false, managedByFile: false, ...flags };
    this.#wanted.set(row.name, row);
  }

  #change(row: NodeColumns, columns: Partial<NodeColumns>): void {
    this.#wanted.set(row.name, { ...row, ...columns });
  }

  /** The columns of a credential; empty when the same one is stored under the current key. */
  #credential(row: NodeColumns, fields: CredentialFields): Partial<NodeColumns> {
    const wanted = askedCredential(fields) ?? null;
    const isStored =
      wanted !== null &&
      row.credentialKeyId === this.#ring.current.id &&
      row.credentialKind === wanted.kind &&
      storedText(this.#ring, row) === credentialText(wanted);
    return isStored ? {} : credentialColumns(this.#ring, row.id, wanted);
  }

  /** The same secret, of whatever kind, under the current key. */
  #reencrypted(row: NodeColumns): Partial<NodeColumns> {
    const text = storedText(this.#ring, row);
    return text === null ? {} : encryptCredential(this.#ring, row.id, text, formOf(row.credentialKind));
  }
}

function ambiguous(name: string, rows: readonly NodeColumns[]): StartupError {
  const stored = rows.map((row) => `"${row.name}"`).join(" and ");
  return new StartupError("The configuration file is not valid:", [
    `node "${name}" differs in case only from several stored nodes, ${stored}: write it as one of them`,
  ]);
}
