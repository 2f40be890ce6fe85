// Bundles the server, its workers and the command-line parts into dist; most packages stay external.
import path from "node:path";
import { build, stop } from "esbuild";
import { buildWorkers, commonOptions } from "./build-workers.mjs";
import { root } from "./prepare.mjs";

/** The entry points of the bundles in dist. */
export const entryPoints = {
  server: "server.ts",
  pages: "lib/process/pages-main.ts",
  simulator: "tools/simulator/main.ts",
  doctor: "scripts/doctor/examine.ts",
  "admin-reset": "scripts/admin-reset.ts",
  "db-move": "scripts/db-move.ts",
  health: "scripts/health.ts",
};

/** The esbuild options of bundles for the main thread. */
export const bundleOptions = { ...commonOptions, entryPoints, outdir: path.join(root, "dist") };

/** Bundles everything; takes some tenths of a second. */
export async function bundle() {
  await Promise.all([build(bundleOptions), buildWorkers()]);
  await stop(); // its process would outlive the server
}
