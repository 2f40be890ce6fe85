import { sql } from "drizzle-orm";
import type { Database, Orm } from "@/lib/db/client";
import { bumpConfigVersion, CONFIG_CHANNEL } from "@/lib/router/load-catalog";
import { declareModels, ensureModels } from "./apply-models";
import { declareNodes, ensureNodes, ensureSimulatedNodes, rewrapCredentials } from "./apply-nodes";
import { declarePlans, ensurePlans } from "./apply-plans";
import { type BuiltinCatalog, builtinPlans } from "./builtin";
import type { ConfigFile } from "./file";
import type { Secrets } from "./secrets";

const CONFIG_LOCK = 7_236_001;
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
 * Brings the database to what is declared, in one transaction; doing it again changes nothing. What nothing mentions is
 * left alone; what a file no longer mentions stops being managed by file. Other processes are told of a change.
 * Shape: true when anything changed. Throws: StartupError for routes to unknown nodes. Source: contract 3.
 */
export async function applyConfig(
  db: Database,
  declared: Declared,
  secrets: Pick<Secrets, "credentials">,
): Promise<boolean> {
  const changed = await db.session(({ orm }) => orm.transaction((tx) => applyAll(tx, declared, secrets)));
  if (changed) await db.notify(CONFIG_CHANNEL, "");
  return changed;
}

async function applyAll(
  tx: Orm,
  declared: Declared,
  secrets: Pick<Secrets, "credentials">,
): Promise<boolean> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${CONFIG_LOCK})`);
  const ring = secrets.credentials;
  const { file, environment, demo } = declared;
  const document = file?.document ?? { nodes: [], models: [], plans: [] };
  const steps = [
    () => declarePlans(tx, document.plans),
    () => ensurePlans(tx, builtinPlans),
    () => rewrapCredentials(tx, ring),
    () => declareNodes(tx, document.nodes, ring),
    () => ensureNodes(tx, environment.nodes, ring),
    () => ensureSimulatedNodes(tx, (demo ?? NOTHING).nodes, ring),
    () =>
      declareModels(
        tx,
        document.models,
        (model, route) => file?.at(["models", model, "routes", route]) ?? "",
      ),
    () => ensureModels(tx, environment.models),
    () => ensureModels(tx, (demo ?? NOTHING).models),
  ];
  let changed = false;
  for (const step of steps) changed = (await step()) || changed;
  if (changed) await bumpConfigVersion(tx);
  return changed;
}
