// Finds the programs that the tests need besides Node, or installs them where that is allowed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { launch } from "./prepare.mjs";

const APT = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
// The machine of a test run need not survive a power failure.
const INSTALL = ["install", "-y", "-q", "--no-install-recommends", "-o", "Dpkg::Options::=--force-unsafe-io"];
const INSTALL_WITHIN_MS = 600_000;

const PROGRAMS = [
  { name: "PostgreSQL", aptPackages: ["postgresql"], variable: "TEST_DATABASE_URL", find: findPostgres },
  {
    name: "Redis",
    aptPackages: ["redis-server"],
    variable: "TEST_REDIS_URL",
    find: () => onPath(["redis-server"]),
  },
  {
    name: "Chromium",
    // The shell runs the browser tests for two thirds of the processor time; only Debian packages it.
    aptPackages: ["chromium-headless-shell", "chromium"],
    variable: "CHROMIUM_PATH",
    find: findTestBrowser,
    preferred: findHeadlessShell,
  },
];

/** Additional programs of the fault tests. */
const FAULT_PROGRAMS = [
  { name: "nginx", aptPackages: ["nginx-light"], find: () => onPath(["nginx"]) },
  { name: "PgBouncer", aptPackages: ["pgbouncer"], find: findPgbouncer },
];

/** Finds or installs every program. Resolves to the reasons for missing ones. */
export async function providePrograms({ faults = false } = {}) {
  const wanted = faults ? [...PROGRAMS, ...FAULT_PROGRAMS] : PROGRAMS;
  const lacking = wanted.filter(
    (program) => !present({ ...program, find: program.preferred ?? program.find }),
  );
  if (lacking.length > 0) await install(lacking);
  return lacking
    .filter((program) => !present(program))
    .map(({ name, variable }) => {
      const way = variable ? ` (${variable} may point at one)` : "";
      return `${name}: not on this machine and not installable here${way}`;
    });
}

/** The path of a Chromium or Chrome, whole if possible, or null. */
export function findChromium() {
  const whole = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
  return onPath(whole) ?? findHeadlessShell();
}

/** The path of the browser that runs the tests fastest, or null. */
export function findTestBrowser() {
  return findHeadlessShell() ?? findChromium();
}

function findHeadlessShell() {
  return onPath(["chromium-headless-shell"]);
}

function present({ variable, find }) {
  return Boolean(variable && process.env[variable]) || find() !== null;
}

function findPostgres() {
  const packaged = "/usr/lib/postgresql";
  const versions = existsSync(packaged) ? readdirSync(packaged) : [];
  const places = versions.map((version) => path.join(packaged, version, "bin", "initdb"));
  return places.find((place) => existsSync(place)) ?? onPath(["initdb"]);
}

/** The path of PgBouncer, which Debian keeps from the PATH of others than root; null without it. */
export function findPgbouncer() {
  const packaged = "/usr/sbin/pgbouncer";
  return existsSync(packaged) ? packaged : onPath(["pgbouncer"]);
}

function onPath(names) {
  const places = (process.env.PATH ?? "").split(path.delimiter);
  const candidates = names.flatMap((name) => places.map((place) => path.join(place, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}

/** Installs the first available package of each program. */
async function install(programs) {
  if (!mayInstall()) return;
  process.stdout.write(`Installing ${programs.map(({ name }) => name).join(", ")} with apt-get …\n`);
  await apt(["update", "-q"]);
  for (const { aptPackages, find } of programs) {
    for (const name of aptPackages) {
      await apt([...INSTALL, name]);
      if (find() !== null) break;
    }
  }
}

function mayInstall() {
  if (process.getuid?.() !== 0 || onPath(["apt-get"]) === null || !existsSync("/etc/os-release"))
    return false;
  return /debian|ubuntu/i.test(readFileSync("/etc/os-release", "utf8"));
}

function apt(args) {
  return launch("apt-get", args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: APT,
    timeout: INSTALL_WITHIN_MS,
  });
}
