import { mkdtempSync } from "node:fs";
import path from "node:path";
import { Child } from "./child";
import { freePort } from "./free-port";
import { pinned } from "./pinning";

/** Starts a Redis without persistence and returns its URL. Throws: when the machine has none. */
export async function startRedis(directory: string): Promise<string> {
  const port = await freePort();
  const home = mkdtempSync(path.join(directory, "redis-"));
  const flags = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", home];
  const [command, args] = pinned("others", "redis-server", flags);
  await Child.start({ command, args, ready: /(Ready to accept connections)/i });
  return `redis://127.0.0.1:${port}`;
}
