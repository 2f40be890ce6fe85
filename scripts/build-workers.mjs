// Bundles every `*-worker.ts` under lib into dist/workers/<name>.js; most packages stay external.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Packages of many ES modules, which are bundled. For each module that Node.js 24 loads it reads the package's
 * `package.json` again: these would leave 180 MB of garbage at the start, which an idle process never collects.
 */
const BUNDLED = ["drizzle-orm", "jose", "zod"];

/** The esbuild options of every bundle: one file each, most packages stay external. */
export const commonOptions = {
  absWorkingDir: root,
  bundle: true,
  external: externalPackages(),
  alias: { "@": root },
  platform: "node",
  target: "node20",
  format: "esm",
  sourcemap: "linked",
  logLevel: "warning",
};

function externalPackages() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !BUNDLED.includes(name));
}

/** Bundles all workers; takes some tens of milliseconds. */
export async function buildWorkers() {
  const entryPoints = readdirSync(path.join(root, "lib"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("-worker.ts"))
    .map((file) => path.join(root, "lib", file));
  await build({
    ...commonOptions,
    entryPoints,
    outdir: path.join(root, "dist", "workers"),
    entryNames: "[name]",
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildWorkers();
