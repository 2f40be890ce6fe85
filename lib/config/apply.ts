import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { bumpConfigVersion, CONFIG_CHANNEL } from "@/lib/db/config-channel";
import type { Database, Orm } from "@/lib/db/database";
import { modelChanges } from "./apply-models";
import { DeclaredNodes } from "./apply-nodes";
import { planChanges } from "./apply-plans";
import { type BuiltinCatalog, builtinPlans } from "./builtin";
import type { Change } from "./change";
import type { ConfigFile } from "./file";
import type { KeyRing, Secrets } from "./secrets";
import { readStoredConfig, type StoredConfig } from "./stored";

const CONFIG_LOCK = 7_236_001;
/** The embedded database does nothing else during a transaction; a call must not notice it. */
const SLICE_MS = 10;
const NOTHING: BuiltinCatalog = { nodes: [], models: [] };

/** Everything that decides about nodes, models and plans at start. */
export interface Declared {
  /** `tollgate.yaml`, or null when there is none. */
  file: ConfigFile | null;
  /** From the vendors' keys in the environment. */
  environment: BuiltinCatalog;
  /** The simulated provider of this process, or null when it is off. */
  demo: BuiltinCatalog | null;
}

/**
 * Brings the database to what is declared; doing it again changes nothing. What nothing mentions is left alone; what a
 * file no longer mentions stops being managed by file.
 *
 * Everything is compared and checked before anything is written, and only what differs is, in slices of some
 * milliseconds between which the ledger has the database to itself for as long. The last slice raises the version of the
 * configuration, so that nobody loads a half of it; when a crash comes before, the next start does the rest. Other
 * processes are told of a change.
 * Shape: true when anything changed; `onReleased` hears of nodes that the file no longer declares, once each. Throws: StartupError for routes to unknown nodes. Source: docs/contract.md#s3,
 * #b15.
 */
export async function applyConfig(
  db: Database,
  declared: Declared,
  secrets: Pick<Secrets, "credentials">,
  onReleased: (node: string) => void = () => {},
): Promise<boolean> {
  const { changes, released } = await alone(db, async (orm) => {
    const wanted = changesTo(await readStoredConfig(orm), declared, secrets.credentials);
    await applyInSlices(orm, wanted.changes);
    return wanted;
  });
  released.forEach(onReleased);
  if (changes.length > 0) await db.notify(CONFIG_CHANNEL, "");
  return changes.length > 0;
}

/** The last of the work of this process on each database. */
const turns = new WeakMap<Database, Promise<unknown>>();

/**
 * One at a time: in this process by turns, since the embedded database has one session for all; between processes by a
 * lock that ends with the connection of this session.
 */
function alone<T>(db: Database, work: (orm: Orm) => Promise<T>): Promise<T> {
  const turn = (turns.get(db) ?? Promise.resolve()).then(() =>
    db.session(async ({ orm }) => {
      if (db.kind === "postgres") await orm.execute(sql`SELECT pg_advisory_lock(${CONFIG_LOCK})`);
      return work(orm);
    }),
  );
  turns.set(
    db,
    turn.catch(() => {}),
  );
  return turn;
}

/** In an order in which what has been changed never needs what has not: plans, nodes, then models on these nodes. */
function changesTo(stored: StoredConfig, { file, environment, demo }: Declared, ring: KeyRing) {
  const document = file?.document ?? { nodes: [], models: [], plans: [] };
  const simulated = demo ?? NOTHING;
  const nodes = new DeclaredNodes(stored.nodes, ring);
  nodes.rewrap();
  nodes.declare(document.nodes);
  nodes.ensure(environment.nodes);
  nodes.simulate(simulated.nodes);
  const models = {
    declared: document.models,
    routeLocations: file?.routeLocations ?? [],
    ensured: [...environment.models, ...simulated.models],
  };
  const changes: Change[] = [
    ...planChanges(stored.plans, document.plans, builtinPlans),
    ...nodes.changes(),
    ...modelChanges(stored, models, nodes.ids),
  ];
  return { changes, released: nodes.released };
}

async function applyInSlices(orm: Orm, changes: readonly Change[]): Promise<void> {
  const left = [...changes].reverse();
  while (left.length > 0) {
    const tookMs = await orm.transaction(async (tx) => {
      const begunMs = performance.now();
      do await left.pop()?.(tx);
      while (left.length > 0 && performance.now() - begunMs < SLICE_MS);
      if (left.length === 0) await bumpConfigVersion(tx);
      return performance.now() - begunMs;
    });
    if (left.length > 0) await sleep(tookMs);
  }
}
