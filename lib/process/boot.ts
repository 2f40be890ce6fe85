import { createKey } from "@/lib/accounts/keys";
import { setPasswordHashCost } from "@/lib/accounts/password";
import { findUser } from "@/lib/accounts/users";
import { openRegistration, readSettings, registrationWarning, strangersCanSpend } from "@/lib/admin/settings";
import { applyConfig, type ConfigListener, type Declared } from "@/lib/config/apply";
import { demoCatalog, environmentCatalog } from "@/lib/config/builtin";
import { parseSettings, type Settings } from "@/lib/config/env";
import { type ConfigFile, readConfigFile, readConfigFileInWorker } from "@/lib/config/file";
import type { RemovedModels } from "@/lib/config/file-schema";
import { urlHost } from "@/lib/config/hosts";
import { keepFilesPrivate } from "@/lib/db/private-directory";
import { removeInstance } from "@/lib/db/replicas";
import { type Runtime, setRuntime } from "@/lib/gateway/runtime";
import { systemMachine } from "@/lib/upstream/credentials/system-machine";
import { startBackgroundJobs } from "./background-jobs";
import { type BannerFacts, banner } from "./banner";
import { checkCredentials } from "./check-credentials";
import type { Demo, DemoAccount } from "./demo";
import { ensureFirstAdmin, type FirstAdmin } from "./first-admin";
import { registerGauges } from "./gauges";
import { oneAtATime } from "./one-at-a-time";
import { openRuntime } from "./open-runtime";
import { type Simulator, startSimulator } from "./simulator";
import { startError } from "./start-problems";

/** A process that is ready to listen. */
export interface BootedProcess {
  runtime: Runtime;
  /** Creates the first admin where there is none, and shows the password once; null when there is one. */
  createFirstAdmin(): Promise<FirstAdmin | null>;
  /** For a process that listens: creates the first admin and prints that it is ready. */
  announce(port: number): Promise<void>;
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Builds a running process from its environment: settings, database, secrets, configuration, admin, background jobs.
 * `demo`: creates the data of `DEMO_SEED=1`; `terminal`: standard output is a terminal, so a printed secret is not
 * stored in a log.
 * Throws: StartupError, whose message says what to do. Source: docs/contract.md#s1, #s2,
 * #s3, #b17, #b18, #b19.
 */
export async function boot(
  env: Readonly<Record<string, string | undefined>>,
  demo: Demo | null,
  terminal: boolean = process.stdout.isTTY === true,
): Promise<BootedProcess> {
  keepFilesPrivate();
  const settings = parseSettings(env);
  return withStartErrors(settings, () => start(settings, demo, terminal));
}

/** Runs a part of the start. Throws: StartupError for every failure. Source: docs/contract.md#start-problems. */
async function withStartErrors<T>(settings: Settings, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw startError(error, settings);
  }
}

async function start(settings: Settings, demo: Demo | null, terminal: boolean): Promise<BootedProcess> {
  setPasswordHashCost(settings.passwordHashCost);
  const opened = await openRuntime(settings);
  const simulator = settings.demoProvider ? await startSimulator() : null;
  const { runtime, instanceId } = opened;
  void simulator?.crashed.then(() => runtime.log.error("the simulated provider has ended"));
  const say = (line: string) => runtime.log.warn(line);
  const apply = async (read: ReadFile) => {
    const all = await declared(settings, simulator, read);
    const told: ConfigListener = {
      onReleased: (node) => runtime.log.warn({ node }, releasedNodeWarning(settings)),
      onPlanReleased: (plan) => runtime.log.warn({ plan }, RELEASED_PLAN),
      onBudgetReleased: (budget) => runtime.log.warn({ budget }, RELEASED_BUDGET),
      onRenamed: (from, to) => runtime.log.warn({ from, to }, RENAMED_NODE),
      onTakenOut: (model, becomes) =>
        runtime.log.warn({ model }, `a model is no longer in the configuration file; ${fates[becomes]}`),
      say,
    };
    await runtime.catalog.reloadAfter(() => applyConfig(runtime.db, all, runtime.secrets, told));
    await warnIfRegistrationIsOpen(runtime);
  };
  await apply(readConfigFile);
  const shown = settings.demoSeed ? demo : null;
  const tell = (text: string) => process.stdout.write(text);
  const createFirstAdmin = () => ensureFirstAdmin(runtime.db, settings, tell, say);
  registerGauges(runtime);
  setRuntime(runtime);
  const stopBackgroundJobs = startBackgroundJobs(opened);
  runtime.loop.start();
  const stopping = new AbortController();
  return {
    runtime,
    createFirstAdmin,
    announce: async (port) => {
      const { admin, ...facts } = await withStartErrors(settings, async () => {
        const created = await createFirstAdmin();
        return { admin: created, ...(await firstStart(runtime, created, { demo: shown, terminal })) };
      });
      process.stdout.write(`${banner(runtime, { url: publicUrl(settings, port), admin, ...facts })}\n`);
      if (shown !== null) void startDemoTraffic(shown, runtime, port, stopping.signal);
    },
    reload: oneAtATime(() => apply(readConfigFileInWorker)),
    stop: async () => {
      stopping.abort();
      runtime.loop.stop();
      runtime.refusals.stop();
      await stopBackgroundJobs();
      await runtime.ledger.drain();
      await deregister(runtime, instanceId);
      await runtime.catalog.close();
      await runtime.limiter.close();
      await runtime.tokens.close();
      await runtime.responses.close();
      simulator?.close();
      await runtime.pools.destroy();
      await runtime.db.close();
    },
  };
}

const RELEASED_PLAN =
  "a plan is no longer in the configuration file; it stays, and is changed in the admin pages now";
const RELEASED_BUDGET =
  "a budget is no longer in the configuration file; it stays, and is changed in the admin pages now";
const RENAMED_NODE =
  "a node whose name differed from the configuration file in case only has the name of the file now";

/** What happens to a model that the file no longer declares. */
const fates: Readonly<Record<RemovedModels, string>> = {
  keep: "it goes on, and is changed in the admin pages now (removedModels: disable in the file switches it off)",
  disable: "it is switched off, and is changed in the admin pages now",
};

/** The warning about a node that the file no longer declares. Only nodes of the file may have private addresses. */
function releasedNodeWarning({ allowPrivateUpstreams }: Settings): string {
  const message =
    "a node is no longer in the configuration file; it stays, and is changed in the admin pages now";
  return allowPrivateUpstreams
    ? message
    : `${message}; calls to a private address are refused unless ALLOW_PRIVATE_UPSTREAMS=1`;
}

async function warnIfRegistrationIsOpen({ db, log, settings, catalog }: Runtime): Promise<void> {
  const open = openRegistration(settings, catalog.current, await readSettings(db));
  if (open !== null) log.warn(registrationWarning(open));
}

/**
 * Removes this process from the live ones, so that the others use its share of the limits. Without a database they
 * detect missing heartbeats.
 */
async function deregister({ db, log }: Runtime, instanceId: string): Promise<void> {
  await removeInstance(db, instanceId).catch((error: unknown) =>
    log.warn({ err: error }, "this process could not be removed from the list of instances"),
  );
}

/** The further steps and outputs of a first start: a key of the new admin, and the demo's accounts. */
async function firstStart(
  runtime: Runtime,
  admin: FirstAdmin | null,
  { demo, terminal }: { demo: Demo | null; terminal: boolean },
): Promise<Omit<BannerFacts, "url" | "admin">> {
  const { settings, catalog, db } = runtime;
  // A log has more readers than a terminal, and a key to real nodes can spend money.
  const printsKey = terminal || settings.demoProvider;
  const firstKey = admin !== null && printsKey ? await createFirstKey(runtime, admin.id) : null;
  const seeded = demo !== null && admin !== null ? await seed(demo, runtime, admin.id) : [];
  const registers = strangersCanSpend(settings, catalog.current, await readSettings(db));
  return { firstKey, seeded, registers };
}

/** Creates the admin's first key, so that the printed call works unchanged. */
async function createFirstKey({ db, clock }: Runtime, adminId: string): Promise<string> {
  const user = await findUser(db, adminId);
  if (user === null) throw new Error("the first admin was not found");
  const made = db.orm.transaction((tx) => createKey(tx, user, { name: "First key" }, clock.date()));
  return (await made).key;
}

/** Creates demo accounts with thirty days of simulated usage. */
async function seed(demo: Demo, { db, clock, catalog }: Runtime, adminId: string): Promise<DemoAccount[]> {
  const accounts = await demo.seed(db, adminId, clock.date());
  await catalog.reload();
  return accounts ?? [];
}

/** Sends live traffic of the demo accounts until the process stops. */
async function startDemoTraffic(
  demo: Demo,
  { db, log, settings }: Runtime,
  port: number,
  stopping: AbortSignal,
): Promise<void> {
  const url = `http://${urlHost(settings.host)}:${port}`;
  await demo
    .playLiveTraffic(db, url, stopping)
    .catch((error: unknown) => log.warn({ err: error }, "the demo's live traffic has ended"));
}

type ReadFile = (file: string) => Promise<ConfigFile>;

/** All declarations. Throws: StartupError. */
async function declared(settings: Settings, simulator: Simulator | null, read: ReadFile): Promise<Declared> {
  const file = settings.configFile === null ? null : await read(settings.configFile);
  if (file !== null)
    await checkCredentials(file.document.nodes, systemMachine, settings.cloudCredentialsAmbient);
  return {
    file,
    environment: environmentCatalog(settings),
    demo: simulator === null ? null : demoCatalog(simulator.url),
    timeZone: settings.reportTimezone,
  };
}

function publicUrl(settings: Settings, port: number): string {
  if (settings.publicUrlGiven || settings.port === port) return settings.publicUrl;
  return settings.publicUrl.replace(/:\d+$/, `:${port}`);
}
