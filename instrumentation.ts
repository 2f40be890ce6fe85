import { hasRuntime } from "./lib/gateway/runtime";

/**
 * Starts the runtime on hosts that do not use `server.ts`, which starts it itself.
 * Source: docs/architecture.md#s1-1.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || hasRuntime()) return;
  const [{ boot }, { demo }] = await Promise.all([
    import("./lib/process/boot"),
    import("./scripts/demo/demo"),
  ]);
  await boot(process.env, demo);
}
