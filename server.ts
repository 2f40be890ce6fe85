import type { IncomingMessage } from "node:http";
import { passwordQueueRefusal } from "@/lib/accounts/password";
import { answerWeb } from "@/lib/api/serve";
import { nodeHandler } from "@/lib/gateway/node-adapter";
import { clientIp } from "@/lib/kernel/client-address";
import { securityHeaders, stripInternalHeaders } from "@/lib/ops/headers";
import { serveApi } from "@/lib/process/api-adapter";
import { boot } from "@/lib/process/boot";
import { createHttpServer } from "@/lib/process/http-server";
import { endOnUncaughtErrors } from "@/lib/process/last-words";
import { openSockets } from "@/lib/process/open-sockets";
import { openPages } from "@/lib/process/pages";
import { serveMetrics } from "@/lib/process/serve-metrics";
import { runUntilSignal } from "@/lib/process/signals";
import { takeUpgrades } from "@/lib/process/upgrades";
import { demo } from "@/scripts/demo/demo";

const development = process.argv.includes("--dev");
// Errors of the start included.
endOnUncaughtErrors();

const started = await boot(process.env, demo);
const { settings, metrics, refusals, log } = started.runtime;
const { maxBodyBytes, trustProxy, publicUrl } = settings;
const pages = await openPages({
  dataDir: settings.dataDir,
  development,
  env: process.env,
  log,
  answer: answerWeb,
  refusals,
});

const addressOf = ({ headers, socket }: IncomingMessage) =>
  clientIp(headers["x-forwarded-for"], socket.remoteAddress, trustProxy);

const server = createHttpServer({
  gateway: nodeHandler(started.runtime, { maxBodyBytes, trustProxy }),
  metrics: (request, response) => serveMetrics(request, response, metrics, settings.metricsToken),
  api: (request, response) => {
    const headers = securityHeaders({ publicUrl, development });
    return serveApi(request, response, answerWeb, {
      origin: "http://localhost",
      clientIp: addressOf(request),
      headers,
    });
  },
  pages: (request, response) => {
    stripInternalHeaders(request.headers);
    const headers = securityHeaders({ publicUrl, development });
    return pages.proxy.serve(request, response, {
      request: [
        ["x-tollgate-client-ip", addressOf(request)],
        // The framework reads the nonce of its scripts from the policy in the request.
        ...headers.filter(([name]) => name === "content-security-policy"),
      ],
      response: headers,
    });
  },
  failed: (error) => {
    refusals.add("malfunction");
    log.error({ err: error }, "a request failed outside the gateway");
  },
  refused: (error) => refusals.sent(error),
  signInRefusal: passwordQueueRefusal,
});
takeUpgrades(server, {
  handshake: settings.webSocketResponses ? openSockets(started.runtime) : null,
  pages: development
    ? (request, socket, head) => {
        socket.setTimeout(0); // the connection is idle until a file changes
        pages.proxy.upgrade(request, socket, head);
      }
    : null,
});

await runUntilSignal(server, {
  ...started,
  announce: async (port) => {
    await started.announce(port);
    pages.start();
  },
  stop: async () => {
    await pages.stop();
    await started.stop();
  },
});
