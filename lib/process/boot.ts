import { createKey } from "@/lib/accounts/keys";
import { setPasswordHashCost } from "@/lib/accounts/password";
import { findUser } from "@/lib/accounts/users";
import { openRegistration, registrationWarning } from "@/lib/admin/open-registration";
import { applyConfig, type Declared } from "@/lib/config/apply";
import { demoCatalog, environmentCatalog } from "@/lib/config/builtin";
import { parseSettings, type Settings } from "@/lib/config/env";
import { type ConfigFile, readConfigFile } from "@/lib/config/file";
import { urlHost } from "@/lib/config/public-address";
import { readConfigFileAside } from "@/lib/config/read-aside";
import { removeInstance } from "@/lib/db/instances";
import { keepFilesPrivate } from "@/lib/db/private-directory";
import { type Runtime, setRuntime } from "@/lib/gateway/runtime";
import { ensureFirstAdmin } from "@/lib/process/first-start";
import { startBackgroundJobs } from "./background-jobs";
import { banner } from "./banner";
import type { Demo, DemoAccount } from "./demo";
import { registerGauges } from "./gauges";
import { oneAtATime } from "./one-at-a-time";
import { openRuntime } from "./open-runtime";
import { type Simulator, startSimulator } from "./simulator";

/** A process that is ready to listen. */
export interface Booted {
  runtime: Runtime;
  announce(port: number): void;
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * From the environment to a runtime that can serve: settings, database, secrets, configuration, admin, background work.
 * `demo`: what `DEMO_SEED=1` asks for; `terminal`: what is printed goes to a person and is kept nowhere.
 * Throws: StartupError and DataDirectoryBusyError, whose messages say what to do. Source: docs/contract.md#s1, #s2,
 * #s3, #b17, #b18, #b19.
 */
export async function boot(
  env: Readonly<Record<string, string | undefined>>,
  demo: Demo | null,
  terminal: boolean = process.stdout.isTTY === true,
): Promise<Booted> {
  keepFilesPrivate();
  const settings = parseSettings(env);
  setPasswordHashCost(settings.passwordHashCost);
  const [opened, simulator] = await Promise.all([
    openRuntime(settings),
    settings.demoProvider ? startSimulator() : null,
  ]);
  const { runtime, instanceId } = opened;
  void simulator?.crashed.then(() => runtime.log.error("the simulated provider has ended"));
  const apply = async (read: ReadFile) => {
    const all = await declared(settings, simulator, read);
    const onReleased = (node: string) => runtime.log.warn({ node }, releasedNode(settings));
    await runtime.catalog.reloadAfter(() => applyConfig(runtime.db, all, runtime.secrets, onReleased));
    await warnOfStrangers(runtime);
  };
  await apply(readConfigFile);
  const admin = await ensureFirstAdmin(runtime.db, settings);
  // A log is read by more people than a terminal, and a key to real nodes is money.
  const printsKey = terminal || settings.demoProvider;
  const firstKey = admin !== null && printsKey ? await createFirstKey(runtime, admin.id) : null;
  const shown = settings.demoSeed ? demo : null;
  const seeded = shown !== null && admin !== null ? await seed(shown, runtime, admin.id) : [];
  registerGauges(runtime);
  setRuntime(runtime);
  const endUpkeep = startBackgroundJobs(opened);
  runtime.loop.start();
  const ended = new AbortController();
  return {
    runtime,
    announce: (port) => {
      process.stdout.write(
        `${banner(runtime, { url: publicUrl(settings, port), admin, firstKey, seeded })}\n`,
      );
      if (shown !== null) void playTraffic(shown, runtime, port, ended.signal);
    },
    reload: oneAtATime(() => apply(readConfigFileAside)),
    stop: async () => {
      ended.abort();
      runtime.loop.stop();
      await endUpkeep();
      await runtime.ledger.drain();
      await leave(runtime, instanceId);
      await runtime.catalog.close();
      await runtime.limiter.close();
      await runtime.tokens.close();
      simulator?.close();
      await runtime.pools.destroy();
      await runtime.db.close();
    },
  };
}

/** What a node is from now on that the file no longer declares; the file's nodes may be anywhere. */
function releasedNode({ allowPrivateUpstreams }: Settings): string {
  const now =
    "a node is no longer in the configuration file; it stays, and is changed in the admin pages now";
  return allowPrivateUpstreams
    ? now
    : `${now}; calls to a private address are refused unless ALLOW_PRIVATE_UPSTREAMS=1`;
}

async function warnOfStrangers({ db, log, settings, catalog }: Runtime): Promise<void> {
  const open = await openRegistration(db, settings, catalog.current);
  if (open !== null) log.warn(registrationWarning(open));
}

/** The others share the limits among themselves from now on. Without a database they find out by the silence. */
async function leave({ db, log }: Runtime, instanceId: string): Promise<void> {
  await removeInstance(db, instanceId).catch((error: unknown) =>
    log.warn({ err: error }, "this process could not be taken off the list of living ones"),
  );
}

/** The admin's first key, so that the printed call answers as it stands. */
async function createFirstKey({ db, clock }: Runtime, adminId: string): Promise<string> {
  const user = await findUser(db, adminId);
  if (user === null) throw new Error("the first admin has vanished");
  return (await createKey(db, user, { name: "First key" }, clock.date())).key;
}

async function seed(demo: Demo, { db, clock, catalog }: Runtime, adminId: string): Promise<DemoAccount[]> {
  const accounts = await demo.seed(db, adminId, clock.date());
  await catalog.reload();
  return accounts ?? [];
}

async function playTraffic(
  demo: Demo,
  { db, log, settings }: Runtime,
  port: number,
  ended: AbortSignal,
): Promise<void> {
  const url = `http://${urlHost(settings.host)}:${port}`;
  await demo
    .playLiveTraffic(db, url, ended)
    .catch((error: unknown) => log.warn({ err: error }, "the demo's live traffic has ended"));
}

type ReadFile = (file: string) => Promise<ConfigFile>;

async function declared(settings: Settings, simulator: Simulator | null, read: ReadFile): Promise<Declared> {
  return {
    file: settings.configFile === null ? null : await read(settings.configFile),
    environment: environmentCatalog(settings),
    demo: simulator === null ? null : demoCatalog(simulator.url),
  };
}

function publicUrl(settings: Settings, port: number): string {
  if (settings.publicUrlGiven || settings.port === port) return settings.publicUrl;
  return settings.publicUrl.replace(/:\d+$/, `:${port}`);
}
