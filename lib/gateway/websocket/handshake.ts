import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import { shuttingDownError } from "@/lib/admission/admission";
import { authenticate, knownCaller } from "@/lib/gateway/authorize";
import { corsHeaders } from "@/lib/gateway/cors";
import { complete } from "@/lib/gateway/dispatch";
import { asGatewayError, errorReply, refuse } from "@/lib/gateway/error-reply";
import type { Reply } from "@/lib/gateway/reply";
import { clientIp } from "@/lib/kernel/client-address";
import { type ErrorCode, GatewayError } from "@/lib/kernel/errors";
import { newRequestId } from "@/lib/kernel/request-id";
import type { SocketBounds } from "./bounds";
import type { ClientSockets } from "./client-sockets";
import { HandshakeCall } from "./handshake-call";
import type { SocketGateway } from "./socket-gateway";
import { SOCKET_PROTOCOL } from "./turn-call";
import { turnHeaders } from "./turn-headers";

/** Which refusals have their own status: any other is 426, after which clients go on with POST. */
const ownStatus: Readonly<Partial<Record<ErrorCode, number>>> = { INVALID_API_KEY: 401, FORBIDDEN: 403 };

const UPGRADE_REQUIRED = 426;

/** Takes the connection of a handshake. `search`: the query of its URL; `head`: what has arrived after it. */
export type TakeHandshake = (request: IncomingMessage, socket: Socket, head: Buffer, search: string) => void;

/**
 * Answers WebSocket handshakes: opens a socket for a usable key, refuses a bad one with 401, a page of another origin
 * with 403, and anything else with 426. Source: docs/websocket.md#handshake.
 */
export function handshakes(
  gateway: SocketGateway,
  sockets: ClientSockets,
  { bounds, trustProxy }: { bounds: SocketBounds; trustProxy: number },
): TakeHandshake {
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: gateway.settings.maxBodyBytes,
    maxBufferedChunks: MOST_CHUNKS,
    maxFragments: MOST_CHUNKS,
    closeTimeout: bounds.closeMs,
    // Clients that offer protocols of their own get none.
    handleProtocols: () => false,
  };
  const server = new WebSocketServer(options);
  return (request, socket, head, search) => {
    const onError = () => socket.destroy();
    socket.on("error", onError);
    const address = clientIp(request.headers["x-forwarded-for"], socket.remoteAddress, trustProxy);
    const call = new HandshakeCall(gateway, request, address, search);
    checkHandshake(gateway, call).then(
      (keyId) => {
        // Handshakes that are checked at the same moment count one after the other.
        const full = sockets.full(keyId);
        if (full !== null) return sendRefusal(gateway, call, socket, tooMany(full));
        socket.off("error", onError);
        server.handleUpgrade(request, socket, head, (webSocket) => {
          socket.setTimeout(0);
          open(sockets, call, { webSocket, socket, keyId });
        });
      },
      (thrown: unknown) => sendRefusal(gateway, call, socket, thrown),
    );
  };
}

/** In a message of the largest size, and of what waits to be read. */
const MOST_CHUNKS = 16 * 1_024;

const NONCE = /^[+/0-9A-Za-z]{22}==$/;

/** Resolves with the id of the key. Throws: the refusal. */
async function checkHandshake(gateway: SocketGateway, call: HandshakeCall): Promise<string> {
  const { admission, drain, clock } = gateway;
  const { headers, permit } = call;
  if (headers.origin !== undefined && Object.keys(corsHeaders(gateway, call)).length === 0)
    throw new GatewayError("FORBIDDEN", "CORS_ORIGINS does not allow this page to call the gateway.");
  if (headers["sec-websocket-version"] !== "13")
    throw new GatewayError("INVALID_REQUEST", "Sec-WebSocket-Version must be 13.");
  if (!NONCE.test(headers["sec-websocket-key"] ?? ""))
    throw new GatewayError("INVALID_REQUEST", "Sec-WebSocket-Key must be 16 bytes in base64.");
  if (drain.draining) throw shuttingDownError();
  refuse(admission.atArrival());
  if (headers["x-tollgate-explain"] !== undefined)
    throw new GatewayError("INVALID_REQUEST", "x-tollgate-explain is for POST, not for WebSockets.");
  const key = await authenticate(gateway, call);
  refuse(admission.ofKey(key, permit, clock.nowMs()));
  permit.release();
  if (drain.draining) throw shuttingDownError();
  return key.keyId;
}

function tooMany(full: string): GatewayError {
  return new GatewayError("NO_AVAILABLE_NODE", `${full} Send requests with POST.`);
}

function open(
  sockets: ClientSockets,
  call: HandshakeCall,
  { webSocket, socket, keyId }: { webSocket: WebSocket; socket: Socket; keyId: string },
): void {
  const { headers, search, clientIp } = call;
  sockets.add({
    id: newRequestId(),
    keyId,
    socket: webSocket,
    connection: socket,
    origin: { headers: turnHeaders(headers), search, clientIp, caller: knownCaller(call) },
  });
}

function sendRefusal(gateway: SocketGateway, call: HandshakeCall, socket: Socket, thrown: unknown): void {
  const error = asGatewayError(thrown);
  gateway.refusals.sent(error);
  const made = errorReply(error, SOCKET_PROTOCOL, call.requestId);
  const status = ownStatus[error.code] ?? UPGRADE_REQUIRED;
  const reply = complete(gateway, { ...made, status }, call);
  gateway.metrics.socketRefused(status);
  if (socket.writable) socket.end(responseText(reply));
  else socket.destroy();
}

/** The bytes of a response, after which the connection closes. */
function responseText({ status, headers, body }: Reply): string {
  const text = typeof body === "string" ? body : "";
  const all: Record<string, string> = {
    ...headers,
    "content-length": String(Buffer.byteLength(text)),
    connection: "close",
  };
  if (status === UPGRADE_REQUIRED) all.upgrade = "websocket";
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", text].join("\r\n");
}
