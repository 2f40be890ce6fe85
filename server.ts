import { createServer } from "node:http";
import path from "node:path";
import next from "next";
import { passwordQueueRefusal } from "@/lib/accounts/password";
import { clientIp } from "@/lib/gateway/client-ip";
import { serveNode } from "@/lib/gateway/node-adapter";
import { stripInternalHeaders } from "@/lib/ops/internal-headers";
import { securityHeaders } from "@/lib/ops/security-headers";
import { boot } from "@/lib/process/boot";
import { createHttpServer } from "@/lib/process/http-server";
import { serveMetrics } from "@/lib/process/metrics-endpoint";
import { runUntilSignal } from "@/lib/process/signals";
import { demo } from "@/scripts/demo/demo";

const development = process.argv.includes("--dev");
process.env.NEXT_MANUAL_SIG_HANDLE = "1";

const started = await boot(process.env, demo);
const { settings, metrics, log } = started.runtime;
const adapter = { maxBodyBytes: settings.maxBodyBytes, trustProxy: settings.trustProxy };

// The framework listens for upgrades at the server it is given; without a listener Node answers such a request like any
// other, which is what clients that offer HTTP/2 need. Only reloading pages take upgrades, below.
const pages = next({
  dev: development,
  dir: path.resolve("."),
  customServer: true,
  httpServer: createServer(),
});
await pages.prepare();
const renderPage = pages.getRequestHandler();

const server = createHttpServer({
  gateway: (request, response, path, search) => serveNode(request, response, path, search, adapter),
  metrics: (request, response) => serveMetrics(request, response, metrics, settings.metricsToken),
  rest: (request, response) => {
    stripInternalHeaders(request.headers);
    // Whatever the caller sent under this name is replaced: pages and account routes trust it.
    request.headers["x-tollgate-client-ip"] = clientIp(
      request.headers["x-forwarded-for"],
      request.socket.remoteAddress,
      settings.trustProxy,
    );
    for (const [name, value] of securityHeaders({ publicUrl: settings.publicUrl, development })) {
      response.setHeader(name, value);
      // The pages' own scripts get their nonce from the policy in the request.
      if (name === "content-security-policy") request.headers[name] = value;
    }
    return renderPage(request, response);
  },
  failed: (error) => log.error({ err: error }, "a request failed outside the gateway"),
  signInRefusal: passwordQueueRefusal,
});
if (development) {
  const upgrade = pages.getUpgradeHandler();
  server.on("upgrade", (request, socket, head) => {
    request.socket.setTimeout(0); // it is silent until a file changes
    return upgrade(request, socket, head);
  });
}

await runUntilSignal(server, started);
