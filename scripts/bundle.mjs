// Bundles the server, its workers and the command-line parts into dist; packages stay external.
import path from "node:path";
import { build, stop } from "esbuild";
import { buildWorkers } from "./build-workers.mjs";
import { root } from "./prepare.mjs";

/** The entry points of the bundles in dist. */
export const entryPoints = {
  server: "server.ts",
  simulator: "tools/simulator/main.ts",
  doctor: "scripts/doctor/examine.ts",
  "admin-reset": "scripts/admin-reset.ts",
  "db-move": "scripts/db-move.ts",
};

/** The esbuild options of bundles for the main thread. */
export const bundleOptions = {
  absWorkingDir: root,
  entryPoints,
  outdir: path.join(root, "dist"),
  bundle: true,
  packages: "external",
  alias: { "@": root },
  platform: "node",
  target: "node20",
  format: "esm",
  sourcemap: "linked",
  logLevel: "warning",
};

/** Bundles everything; takes some tenths of a second. */
export async function bundle() {
  await Promise.all([build(bundleOptions), buildWorkers()]);
  await stop(); // its process would outlive the server
}
