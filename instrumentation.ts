/**
 * Starts the runtime on hosts that do not use `server.ts`. The pages process of our server has none: it asks the gateway
 * process. Source: docs/architecture.md#s1-1.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || process.env.TOLLGATE_READS_SOCKET) return;
  if (!process.env.DATABASE_URL) throw await withoutDatabase();
  const [{ boot }, { demo }] = await Promise.all([
    import("./lib/process/boot"),
    import("./scripts/demo/demo"),
  ]);
  const { createFirstAdmin } = await boot(process.env, demo);
  await createFirstAdmin();
}

/** The embedded database belongs to one process, and such hosts start as many as they like. */
async function withoutDatabase(): Promise<Error> {
  const { StartupError } = await import("./lib/config/startup-error");
  return new StartupError("Without its own server Tollgate needs PostgreSQL.", [
    "DATABASE_URL is empty; set it to postgres://user:password@host/name, or start scripts/start.mjs",
  ]);
}
