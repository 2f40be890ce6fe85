import { createServer } from "node:http";
import path from "node:path";
import { createLog } from "@/lib/ops/log";
import { logConsole } from "./pages-log";
import { openRangeCheck, openStaticFiles } from "./static-files";

/**
 * The pages process: renders the pages behind a Unix socket, without database, secrets or data directory. It ends when
 * its channel to the gateway process closes, and ignores signals: a terminal sends them to both processes, and pages
 * are served until the gateway process has drained. Source: docs/architecture.md#s1-1.
 */
async function main(socketPath: string, development: boolean): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.once("disconnect", () => process.exit(0));
  if (!development) logConsole(createLog("info"));
  const { default: next } = await import("next");
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, maxHeaderSize: 64 * 1024 });
  // The framework listens for the upgrade requests of hot reloading on this server.
  const pages = next({ dev: development, dir: path.resolve("."), customServer: true, httpServer: server });
  await pages.prepare();
  const render = pages.getRequestHandler();
  // A development server creates its files on request.
  const refuseRange = openRangeCheck(path.resolve("."));
  const serveStatic = development ? async () => false : openStaticFiles(path.resolve("."));
  server.on("request", (request, response) => {
    if (request.method === "OPTIONS" && request.url === "*") {
      response.end(); // a liveness probe of the gateway process
      return;
    }
    if (refuseRange(request, response)) return;
    serveStatic(request, response)
      .then((served) => (served ? undefined : render(request, response)))
      .catch((error: unknown) => {
        console.error(error);
        response.destroy();
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  if (!process.connected) process.exit(0);
  process.send?.("ready");
}

const { TOLLGATE_PAGES_SOCKET } = process.env;
if (!TOLLGATE_PAGES_SOCKET) throw new Error("the pages process is started by the gateway process only");
await main(TOLLGATE_PAGES_SOCKET, process.argv.includes("--dev"));
