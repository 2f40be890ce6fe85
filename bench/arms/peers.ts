import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Child } from "../child";
import { freePort } from "../free-port";
import type { MockUpstream } from "../mock-upstream";
import { bodyFor, type Payload, upstreamModel } from "../payloads";
import { pinned } from "../pinning";
import { launchedBy } from "../process-usage";
import { type Arm, chatTarget, noLedger } from "./arm";

/** The version that is compared with. */
const PORTKEY = "@portkey-ai/gateway@1.15.2";
const REACHED_WITHIN_MS = 15_000;
const INSTALL_WITHIN_MS = 180_000;

const GOMODEL_KEY = "bench-master-key";
const HEALTHY_WITHIN_MS = 30_000;
const LOOK_MS = 50;

/** Portkey's gateway, installed on demand. Throws: when it is not available. */
export async function portkeyArm(features: string, mock: MockUpstream): Promise<Arm> {
  if (!isReachable(PORTKEY)) throw new Error(`${PORTKEY} cannot be reached`);
  const port = await freePort();
  const [command, args] = pinned("gateway", "npx", ["--yes", PORTKEY, `--port=${port}`, "--headless"]);
  const { child } = await Child.start({
    command,
    args,
    cwd: "/",
    env: { ...process.env, NODE_ENV: "production", npm_config_update_notifier: "false" },
    ready: /(running|ready|http:\/\/localhost)/i,
    readyWithinMs: INSTALL_WITHIN_MS,
  });
  const headers = {
    authorization: "Bearer mock",
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": `${mock.url}/v1`,
  };
  return {
    name: "portkey",
    features,
    pid: launchedBy(child.pid),
    target: (payload) =>
      chatTarget(`http://127.0.0.1:${port}`, bodyFor(payload, upstreamModel(payload)), headers),
    verify: noLedger,
  };
}

/** Whether a package can be installed now; npx would wait for minutes to find out. */
function isReachable(name: string): boolean {
  const args = ["view", name, "version", "--fetch-retries=0"];
  return spawnSync("npm", args, { cwd: "/", stdio: "ignore", timeout: REACHED_WITHIN_MS }).status === 0;
}

/** What the GoModel arm needs. */
export interface GoModelOptions {
  /** Its executable; undefined: there is none. */
  binary: string | undefined;
  databaseUrl: string;
  payloads: readonly Payload[];
  /** Where it may write. */
  directory: string;
}

/**
 * GoModel with its key check and its usage rows in PostgreSQL; logs of bodies, metrics and calls to the outside are
 * off. Throws: without a binary.
 */
export async function goModelArm(
  features: string,
  mock: MockUpstream,
  options: GoModelOptions,
): Promise<Arm> {
  if (options.binary === undefined) throw new Error("PEER_GOMODEL names no binary");
  const port = await freePort();
  const [command, args] = pinned("gateway", options.binary, []);
  const { PATH, HOME } = process.env;
  const { child } = await Child.start({
    command,
    args,
    cwd: options.directory,
    env: {
      NODE_ENV: "production",
      PATH,
      HOME,
      PORT: String(port),
      GOMODEL_MASTER_KEY: GOMODEL_KEY,
      GOMODEL_OFFLINE: "true",
      LOG_LEVEL: "error",
      LOGGING_ENABLED: "false",
      STORAGE_TYPE: "postgresql",
      POSTGRES_URL: options.databaseUrl,
      OPENAI_API_KEY: "mock",
      OPENAI_BASE_URL: `${mock.url}/v1`,
      OPENAI_MODELS: options.payloads.map(upstreamModel).join(","),
      CONFIGURED_PROVIDER_MODELS_MODE: "allowlist",
    },
    ready: /()/,
  });
  const origin = `http://127.0.0.1:${port}`;
  await untilHealthy(`${origin}/health`, child);
  return {
    name: "gomodel",
    features,
    pid: child.pid,
    target: (payload) =>
      chatTarget(origin, bodyFor(payload, upstreamModel(payload)), {
        authorization: `Bearer ${GOMODEL_KEY}`,
      }),
    verify: noLedger,
    said: () => child.output,
  };
}

async function untilHealthy(url: string, child: Child): Promise<void> {
  const giveUpAt = Date.now() + HEALTHY_WITHIN_MS;
  for (;;) {
    const healthy = await fetch(url).then(
      ({ ok }) => ok,
      () => false, // it does not listen yet
    );
    if (healthy) return;
    if (child.ended || Date.now() > giveUpAt) throw new Error(`${url} did not answer:\n${child.output}`);
    await sleep(LOOK_MS);
  }
}
