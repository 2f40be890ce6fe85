// Builds the pages and the server, when the sources have changed since the last build.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { launch, prepare, root, sourceHash, stop, tool } from "./prepare.mjs";

const HASH_FILE = path.join(root, "dist", "source-hash");
const STATIC_FILES = path.join(root, "dist", "static", "files.json");

/** Builds unless the existing build was made from the same sources. */
export async function buildWhenChanged() {
  const hash = sourceHash();
  if (isCurrent(hash)) return;
  process.stdout.write("Building; the first time takes about a minute …\n");
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  if (!(await launch(process.execPath, [tool("next/dist/bin/next"), "build"], { env })))
    stop("The pages could not be built.");
  const { bundle } = await import("./bundle.mjs");
  await bundle();
  const { compressStaticFiles } = await import("./compress.mjs");
  await compressStaticFiles();
  mkdirSync(path.dirname(HASH_FILE), { recursive: true });
  writeFileSync(HASH_FILE, hash);
}

function isCurrent(hash) {
  const built = [
    path.join(root, ".next", "BUILD_ID"),
    path.join(root, "dist", "server.js"),
    STATIC_FILES,
    HASH_FILE,
  ];
  return built.every((file) => existsSync(file)) && readFileSync(HASH_FILE, "utf8") === hash;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await prepare();
  await buildWhenChanged();
}
