import path from "node:path";
import { build, type Plugin } from "esbuild";
import { bundleOptions } from "../../../scripts/bundle.mjs";

/** The server with failpoints, beside the real one. */
export const FAULTY_SERVER = "dist/faults/server.js";

const withFailpoints: Plugin = {
  name: "with-failpoints",
  setup(context) {
    const stand = path.resolve(import.meta.dirname, "failpoint.ts");
    context.onResolve({ filter: /(^|\/)failpoint$/ }, () => ({ path: stand }));
  },
};

/** Builds the server with failpoints; everything else is as in production. */
export async function buildFaultyServer(): Promise<void> {
  await build({
    ...bundleOptions,
    packages: "external",
    platform: "node",
    format: "esm",
    sourcemap: "linked",
    logLevel: "warning",
    entryPoints: { server: "server.ts" },
    outdir: path.resolve("dist/faults"),
    plugins: [withFailpoints],
  });
}
