// Development: Next reloads the pages; the bundled server is rebuilt and restarted when lib changes.
import { spawn } from "node:child_process";
import { context } from "esbuild";
import { buildWorkers } from "./build-workers.mjs";
import { bundleOptions } from "./bundle.mjs";
import { root } from "./prepare.mjs";

/** Runs the server until a signal comes. */
export async function serveAndRestart() {
  let child = null;
  let ending = false;

  const restart = async () => {
    await end(child, "SIGINT");
    if (!ending)
      child = spawn(process.execPath, ["dist/server.js", "--dev"], { cwd: root, stdio: "inherit" });
  };
  const restartAfterBuild = {
    name: "restart",
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length > 0) return;
        await buildWorkers();
        await restart();
      });
    },
  };
  const bundling = await context({ ...bundleOptions, plugins: [restartAfterBuild] });
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, async () => {
      ending = true;
      await bundling.dispose();
      await end(child, signal);
      process.exit(0);
    });
  }
  await bundling.watch();
}

function end(child, signal) {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  return exited;
}
