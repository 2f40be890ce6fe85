import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { gatewayPath } from "@/lib/gateway/gateway-path";
import type { TakeHandshake } from "@/lib/gateway/websocket/handshake";
import { afterResponses, decodePath } from "@/lib/process/http-server";
import { clientPaths } from "@/lib/protocols/protocol";

/** What takes over connections whose protocol changes. */
export interface UpgradeHandlers {
  /** WebSocket handshakes of model API clients; null: they are answered as requests. */
  handshake: TakeHandshake | null;
  /** WebSocket handshakes of pages; null: there are none. */
  pages: ((request: IncomingMessage, socket: Socket, head: Buffer) => void) | null;
}

/**
 * Takes the WebSocket handshakes of a server. With a listener Node answers no request that asks for another protocol:
 * those that no handler takes, such as h2c, are answered as requests without that wish.
 * Source: docs/websocket.md#handshake.
 */
export function takeUpgrades(server: Server, { handshake, pages }: UpgradeHandlers): void {
  if (handshake === null && pages === null) return;
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const broken = () => socket.destroy();
    socket.on("error", broken);
    // A client may send a handshake before it has the answers to its requests.
    afterResponses(socket, () => {
      socket.off("error", broken);
      if (socket.destroyed) return;
      const search = handshake === null ? null : searchOfHandshake(request);
      if (handshake !== null && search !== null) handshake(request, socket, head, search);
      else if (pages !== null && request.url?.startsWith("/_next/")) pages(request, socket, head);
      else answerAsRequest(server, request, socket, head);
    });
  });
}

/** The query of a handshake of a model API client; null: the request is none. */
function searchOfHandshake(request: IncomingMessage): string | null {
  const { method, url = "/", headers } = request;
  if (method !== "GET" || !isWebSocket(headers.upgrade)) return null;
  const [rawPath = "", ...query] = url.split("?");
  const path = decodePath(rawPath);
  if (path === null || gatewayPath(path, request) !== clientPaths.responses) return null;
  return query.join("?");
}

function isWebSocket(upgrade: string | undefined): boolean {
  return upgrade?.split(",").some((protocol) => protocol.trim().toLowerCase() === "websocket") === true;
}

/** Headers that ask for another protocol. */
const wishes: ReadonlySet<string> = new Set(["upgrade", "http2-settings"]);

/** Gives the connection back to the server, with the request as if it had not asked for another protocol. */
function answerAsRequest(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const value = rawHeaders[at + 1] ?? "";
    if (wishes.has(name.toLowerCase())) continue;
    lines.push(`${name}: ${name.toLowerCase() === "connection" ? withoutWishes(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}

function withoutWishes(connection: string): string {
  const options = connection.split(",").map((option) => option.trim());
  const kept = options.filter((option) => option !== "" && !wishes.has(option.toLowerCase()));
  return kept.length === 0 ? "keep-alive" : kept.join(", ");
}
