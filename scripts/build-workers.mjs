// Bundles every `*-worker.ts` under lib into dist/workers/<name>.js; packages stay external.
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** The esbuild options of every bundle: one file each, packages stay external. */
export const commonOptions = {
  absWorkingDir: root,
  bundle: true,
  packages: "external",
  alias: { "@": root },
  platform: "node",
  target: "node20",
  format: "esm",
  sourcemap: "linked",
  logLevel: "warning",
};

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
