// Prepares what every command needs: a supported Node.js, the packages, the pinned Node.js, the settings files.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { continueOnPinnedNode, pinnedNode } from "./pinned-node.mjs";

/** The project's root; every command works from there. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

const MIN_NODE = [20, 19];
const LOCK = path.join(root, "package-lock.json");
const INSTALLED_LOCK_HASH = path.join(root, "node_modules", ".installed-lock-hash");
const SETTINGS_FILES = [".env.local", ".env"];
const ASSIGNMENT = /^\s*(export\s+)?[\w.-]+\s*=/;
const COMMENT = /^\s*(#.*)?$/;
/** An assignment whose quoted value does not end in its line. */
const OPEN_VALUE = /^\s*(?:export\s+)?[\w.-]+\s*=\s*(["'`])(?:(?!\1).)*$/;
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

/**
 * Every command's first step: goes to the root, loads the settings files when asked to, installs the packages and
 * continues on the pinned Node.js. An image contains the packages, and runs on its own Node.js.
 */
export async function prepare({ settings = false } = {}) {
  checkNode();
  process.chdir(root);
  if (settings) readSettingsFiles();
  if (!hasSources()) return;
  installPackages();
  await continueOnPinnedNode(pinnedNode(root));
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

function readSettingsFiles() {
  try {
    for (const note of loadSettingsFiles(root, process.env)) process.stderr.write(`${note}\n`);
  } catch (error) {
    stop(error.message);
  }
}

/**
 * Puts the settings of the files in `folder` into `env`; what is there already wins, and the first file over the second.
 * Returns sentences about lines that have no effect. Throws: Error with a sentence that names a file that cannot be read.
 */
export function loadSettingsFiles(folder, env) {
  return SETTINGS_FILES.flatMap((name) => {
    const file = path.join(folder, name);
    if (!existsSync(file)) return [];
    const { lines, wrong } = linesOf(readText(file));
    for (const [key, value] of Object.entries(parseEnv(lines.join("\n")))) env[key] ??= value;
    return wrong.map((line) => `${name}, line ${line}, is no setting and has no effect; write NAME=value`);
  });
}

function readText(file) {
  const bytes = bytesOf(file);
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || bytes.includes(0))
    throw new Error(`${file} is saved as UTF-16; save it as UTF-8.`);
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}

function bytesOf(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`${file} cannot be read (${error.code}); let this user read it, or remove it.`);
  }
}

/**
 * The lines of a file without those that name nothing, which some versions of Node.js read as a part of the next one, and
 * the numbers of these.
 */
function linesOf(text) {
  const all = text.split(/\r\n|\n|\r/);
  const lines = [];
  const wrong = [];
  for (let at = 0; at < all.length; at += 1) {
    const end = endOfValue(all, at);
    const isGood = end > at || COMMENT.test(all[at]) || ASSIGNMENT.test(all[at]);
    if (isGood) lines.push(...all.slice(at, end + 1));
    else wrong.push(at + 1);
    at = end;
  }
  return { lines, wrong };
}

/** The last line of the value that begins in a line; a quote that is never closed belongs to its own line. */
function endOfValue(lines, at) {
  const quote = OPEN_VALUE.exec(lines[at])?.[1];
  const end = quote === undefined ? -1 : lines.findIndex((line, index) => index > at && line.includes(quote));
  return end === -1 ? at : end;
}

/** True when the sources are present; an image contains only the build. */
export function hasSources() {
  return existsSync(path.join(root, "server.ts"));
}

/** Installs the packages when they are missing or others than the lock file names. */
function installPackages() {
  if (packagesAreCurrent()) return;
  process.stdout.write("Installing packages …\n");
  const flags = ["--include=dev", "--no-audit", "--no-fund"];
  if (!npm(["ci", ...flags])) {
    process.stdout.write("npm ci failed; trying npm install …\n");
    if (!npm(["install", ...flags]))
      stop(
        "The packages could not be installed. The first start needs a connection to an npm registry; later ones do not.",
      );
  }
  writeFileSync(INSTALLED_LOCK_HASH, lockHash());
}

/** The dates decide only where the packages were installed by hand: a version control system changes them. */
function packagesAreCurrent() {
  if (existsSync(INSTALLED_LOCK_HASH)) return readFileSync(INSTALLED_LOCK_HASH, "utf8") === lockHash();
  const installed = path.join(root, "node_modules", ".package-lock.json");
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(LOCK).mtimeMs;
}

function lockHash() {
  return createHash("sha256").update(readFileSync(LOCK)).digest("hex");
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

/** A hash over all inputs of the build; the same on every Node.js where the pinned one is installed. */
export function sourceHash() {
  const { version, program } = pinnedNode(root);
  const hash = createHash("sha256").update(program === null ? process.version : version);
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
