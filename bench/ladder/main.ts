import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerWeb } from "@/lib/api/serve";
import { authenticate } from "@/lib/gateway/authorize";
import { nodeHandler } from "@/lib/gateway/node-adapter";
import { serveApi } from "@/lib/process/api-adapter";
import { boot } from "@/lib/process/boot";
import { createHttpServer, sendError } from "@/lib/process/http-server";
import { forward } from "./forward";
import { withoutMoney } from "./without-money";

/**
 * A server built from the product's parts, some of them omitted: the difference between two rungs is the cost of a
 * part. The product itself cannot omit parts. `passthrough`: listener, upstream pool. `key`: also the look-up of the
 * key. `limits`: the whole request path except the ledger.
 */
const rung = process.argv[2] ?? "";
const booted = await boot(process.env, null);
const { settings, log } = booted.runtime;

const server = createHttpServer({
  gateway: handlerOf(rung),
  metrics: notHere,
  api: (request, response) =>
    serveApi(request, response, answerWeb, {
      origin: "http://localhost",
      clientIp: request.socket.remoteAddress ?? "",
      headers: [],
    }),
  pages: notHere,
  failed: (error) => log.error({ err: error }, "a request failed"),
  refused: () => {},
  signInRefusal: () => null,
});
server.listen(settings.port, settings.host, () => {
  void booted.announce((server.address() as AddressInfo).port); // a TCP listener has an address object
});
process.on("disconnect", () => process.exit());

type GatewayHandler = Parameters<typeof createHttpServer>[0]["gateway"];

function handlerOf(name: string): GatewayHandler {
  switch (name) {
    case "passthrough":
      return (request, response, _path, _search, failed) =>
        void forward(request, response, async () => {}).catch(failed);
    case "key":
      return (request, response, path, _search, failed) =>
        void forward(
          request,
          response,
          async (call) => void (await authenticate(booted.runtime, { ...call, path })),
        ).catch(failed);
    case "limits":
      return nodeHandler(
        { ...booted.runtime, ledger: withoutMoney(booted.runtime.ledger) },
        { maxBodyBytes: settings.maxBodyBytes, trustProxy: 0 },
      );
    default:
      throw new Error(`there is no rung ${name}`);
  }
}

async function notHere(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  sendError(response, 404, "NOT_FOUND", "Only /v1 and /api are served here.");
}
