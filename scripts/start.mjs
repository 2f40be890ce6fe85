// Prepares what is missing, then starts the server, which receives signals directly.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { hasSources, prepare, root } from "./prepare.mjs";

await prepare({ settings: true });
if (process.argv.includes("--demo")) asDemo();
if (process.argv.includes("--dev")) await develop();
else await serve();

/** Simulated usage in a separate data directory, with the simulated provider. */
function asDemo() {
  process.env.DEMO_SEED ||= "1";
  process.env.DEMO_PROVIDER ||= "1";
  process.env.DATA_DIR ||= path.join("data", "demo");
}

async function develop() {
  process.env.NODE_ENV = "development";
  const { serveAndRestart } = await import("./develop.mjs");
  await serveAndRestart();
}

async function serve() {
  process.env.NODE_ENV ||= "production";
  if (hasSources()) {
    const { buildWhenChanged } = await import("./build.mjs");
    await buildWhenChanged();
  }
  // The server says itself why it cannot start.
  await import(pathToFileURL(path.join(root, "dist", "server.js")).href);
}
