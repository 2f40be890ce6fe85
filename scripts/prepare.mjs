// Prepares what every command needs: a supported Node, the settings files, the packages, the build.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root; every command works from there. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

const MIN_NODE = [20, 19];
const SOURCES = [
  "app",
  "components",
  "lib",
  "messages",
  "public",
  "scripts",
  "tools",
  "server.ts",
  "next.config.ts",
  "postcss.config.mjs",
  "tsconfig.json",
  "package-lock.json",
];

/** Ends the process with a message. */
export function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Ends the process when Node is too old. */
export function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [minMajor, minMinor] = MIN_NODE;
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return;
  stop(
    `Tollgate needs Node.js ${MIN_NODE.join(".")} or newer; this is ${process.versions.node}. See https://nodejs.org/`,
  );
}

/** Loads `.env.local`, then `.env`; the real environment wins over both, and the first over the second. */
export function loadSettingsFiles() {
  for (const name of [".env.local", ".env"]) {
    const file = path.join(root, name);
    if (existsSync(file)) process.loadEnvFile(file);
  }
}

/** True when the sources are present; an image contains only the build. */
export function hasSources() {
  return existsSync(path.join(root, "server.ts"));
}

/** Installs the packages when they are missing or older than the lock file. */
export function installPackages() {
  const installed = path.join(root, "node_modules", ".package-lock.json");
  const lock = path.join(root, "package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  process.stdout.write("Installing packages …\n");
  const flags = ["--include=dev", "--no-audit", "--no-fund"];
  if (npm(["ci", ...flags])) return;
  process.stdout.write("npm ci failed; trying npm install …\n");
  if (npm(["install", ...flags])) return;
  stop(
    "The packages could not be installed. The first start needs a connection to an npm registry; later ones do not.",
  );
}

function npm(args) {
  const cli = process.env.npm_execpath;
  const windows = process.platform === "win32";
  const [command, first] = cli?.endsWith(".js")
    ? [process.execPath, [cli]]
    : [windows ? "npm.cmd" : "npm", []];
  return run(command, [...first, ...args], { shell: windows && first.length === 0 });
}

/** Runs a command in the root with its output shown and no input. Returns whether it succeeded. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], ...options });
  return done.status === 0;
}

/** Like `run`, asynchronously. */
export function launch(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], ...options });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

/** The absolute path of a package's command-line file. */
export function tool(file) {
  return path.join(root, "node_modules", file);
}

/** A hash over all inputs of the build. */
export function sourceHash() {
  const hash = createHash("sha256").update(process.version);
  for (const file of SOURCES.flatMap(filesBelow).sort()) {
    hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest("hex");
}

function filesBelow(name) {
  const place = path.join(root, name);
  if (!existsSync(place)) return [];
  if (statSync(place).isFile()) return [name];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}
