import { createServer } from "node:http";
import path from "node:path";
import next from "next";
import { passwordQueueRefusal } from "@/lib/accounts/password";
import { clientIp } from "@/lib/gateway/gateway-request";
import { serveNode } from "@/lib/gateway/node-adapter";
import { securityHeaders, stripInternalHeaders } from "@/lib/ops/headers";
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

// The framework adds an upgrade listener to the server it is given. Without a listener Node answers upgrade requests
// normally, which clients that offer HTTP/2 need; so the framework gets a server that never listens. Only hot reloading
// uses upgrades, below.
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
    // Pages and account routes trust this header, so a value from the client is replaced.
    request.headers["x-tollgate-client-ip"] = clientIp(
      request.headers["x-forwarded-for"],
      request.socket.remoteAddress,
      settings.trustProxy,
    );
    for (const [name, value] of securityHeaders({ publicUrl: settings.publicUrl, development })) {
      response.setHeader(name, value);
      // The framework reads the nonce of its scripts from the policy in the request.
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
    request.socket.setTimeout(0); // the connection is idle until a file changes
    return upgrade(request, socket, head);
  });
}

await runUntilSignal(server, started);
