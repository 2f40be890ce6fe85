import { setTimeout as sleep } from "node:timers/promises";
import { bumpConfigVersion, CONFIG_CHANNEL } from "@/lib/db/config-version";
import type { Database, Orm, Session } from "@/lib/db/database";
import { budgetChanges, releasedBudgets } from "./apply-budgets";
import { modelChanges, releasedModels } from "./apply-models";
import { DeclaredNodes } from "./apply-nodes";
import { planChanges, releasedPlans } from "./apply-plans";
import type { BuiltinCatalog } from "./builtin";
import { builtinPlans } from "./builtin-plans";
import type { Change } from "./change";
import { runExclusively } from "./exclusively";
import type { ConfigFile } from "./file";
import type { ConfigDocument, RemovedModels } from "./file-schema";
import type { KeyRing, Secrets } from "./secrets";
import { readStoredConfig, type StoredConfig } from "./stored";

/** A transaction blocks the embedded database, so it must be too short to delay a call. */
const SLICE_MS = 10;
const EMPTY_CATALOG: BuiltinCatalog = { nodes: [], models: [] };

/** All declarations of nodes, models, plans and budgets. */
export interface Declared {
  /** `tollgate.yaml`, or null when there is none. */
  file: ConfigFile | null;
  /** Derived from the vendors' API keys in the environment. */
  environment: BuiltinCatalog;
  /** The simulated provider of this process, or null when it is off. */
  demo: BuiltinCatalog | null;
  /** Of budgets that name none; UTC when absent. */
  timeZone?: string;
}

/** Receives what an application of the configuration does. */
export interface ConfigListener {
  /** Once for each node, plan, budget and model that the file no longer declares. */
  onReleased: (node: string) => void;
  onPlanReleased: (plan: string) => void;
  onBudgetReleased: (budget: string) => void;
  onTakenOut: (model: string, becomes: RemovedModels) => void;
  /** A stored node whose name differed in case only now has the name of the file. */
  onRenamed: (from: string, to: string) => void;
  /** A line about every wait for another process. */
  say: (line: string) => void;
}

/**
 * Applies the declarations to the database; idempotent. Undeclared rows stay unchanged; rows that the file no longer
 * declares stop being managed by it.
 *
 * Compares and validates everything first, then writes only the differences, in transactions of a few milliseconds with
 * pauses of the same length for the ledger. The last transaction increments the configuration version, so that no
 * process loads an incomplete configuration; after a crash the next start completes the changes. Notifies the other
 * processes of a change.
 * Shape: true when anything changed.
 * Throws: StartupError for routes to unknown nodes, and for a name that differs from those of several nodes in case
 * only.
 * Source: docs/contract.md#s3, #b15.
 */
export async function applyConfig(
  db: Database,
  declared: Declared,
  secrets: Pick<Secrets, "credentials">,
  told: Partial<ConfigListener> = {},
): Promise<boolean> {
  const write = async ({ orm }: Session) => {
    const wanted = computeChanges(await readStoredConfig(orm), declared, secrets.credentials);
    await applyInSlices(orm, wanted.changes);
    return wanted;
  };
  const { changes, released, renamed, plans, budgets, takenOut, becomes } = await runExclusively(
    db,
    write,
    told.say && { say: told.say },
  );
  for (const node of released) told.onReleased?.(node);
  for (const { from, to } of renamed) told.onRenamed?.(from, to);
  for (const plan of plans) told.onPlanReleased?.(plan);
  for (const budget of budgets) told.onBudgetReleased?.(budget);
  for (const model of takenOut) told.onTakenOut?.(model, becomes);
  if (changes.length > 0) await db.notify(CONFIG_CHANNEL, "");
  return changes.length > 0;
}

/** Orders changes by dependency: plans, nodes, the models that use these nodes, then the budgets of plans and models. */
function computeChanges(
  stored: StoredConfig,
  { file, environment, demo, timeZone = "UTC" }: Declared,
  ring: KeyRing,
) {
  const document = file?.document ?? { nodes: [], models: [], plans: [], budgets: [] };
  const removed = file?.document.removedModels ?? "keep";
  const simulated = demo ?? EMPTY_CATALOG;
  const nodes = new DeclaredNodes(stored.nodes, ring);
  nodes.reencrypt();
  nodes.declare(document.nodes);
  nodes.ensure(environment.nodes);
  nodes.simulate(simulated.nodes);
  const models = {
    declared: document.models,
    removed,
    routeLocations: file?.routeLocations ?? [],
    ensured: [...environment.models, ...simulated.models],
  };
  const changes: Change[] = [
    ...planChanges(stored.plans, document.plans, builtinPlans),
    ...nodes.changes(),
    ...modelChanges(stored, models, nodes.ids),
    ...budgetChanges(
      stored.budgets,
      document.budgets,
      knownNames(stored, document, models.ensured),
      timeZone,
    ),
  ];
  const takenOut = releasedModels(stored, document.models).map(({ alias }) => alias);
  const plans = releasedPlans(stored.plans, document.plans).map(({ name }) => name);
  const budgets = releasedBudgets(stored.budgets, document.budgets).map(({ name }) => name);
  const { released, renamed } = nodes;
  return { changes, released, renamed, plans, budgets, takenOut, becomes: removed };
}

function knownNames(
  stored: StoredConfig,
  document: Pick<ConfigDocument, "plans" | "models">,
  ensured: readonly { alias: string }[],
) {
  return {
    planIds: new Set([...stored.plans, ...document.plans].map(({ id }) => id)),
    aliases: new Set([...stored.models, ...document.models, ...ensured].map(({ alias }) => alias)),
  };
}

async function applyInSlices(orm: Orm, changes: readonly Change[]): Promise<void> {
  const pending = [...changes].reverse();
  while (pending.length > 0) {
    const durationMs = await orm.transaction(async (tx) => {
      const startMs = performance.now();
      do await pending.pop()?.(tx);
      while (pending.length > 0 && performance.now() - startMs < SLICE_MS);
      if (pending.length === 0) await bumpConfigVersion(tx);
      return performance.now() - startMs;
    });
    if (pending.length > 0) await sleep(durationMs);
  }
}
