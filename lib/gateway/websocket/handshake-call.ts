import type { IncomingMessage } from "node:http";
import type { GatewayRequest } from "@/lib/gateway/gateway-request";
import type { Gateway } from "@/lib/gateway/runtime";
import { Permit } from "@/lib/kernel/permit";
import { newRequestId } from "@/lib/kernel/request-id";
import { clientPaths } from "@/lib/protocols/protocol";
import { Cancellation } from "@/lib/upstream/cancellation";
import { SOCKET_PROTOCOL } from "./turn-call";

/** A handshake as a call without a body, for the checks that every call passes. */
export class HandshakeCall implements GatewayRequest {
  readonly protocol = SOCKET_PROTOCOL;
  readonly method = "GET";
  readonly path = clientPaths[SOCKET_PROTOCOL];
  readonly requestId: string;
  readonly headers: Record<string, string | undefined>;
  readonly clientIp: string;
  readonly search: string;
  readonly signal = new Cancellation();
  readonly receivedAtMs: number;
  readonly receivedAt: Date;
  readonly replyHeaders: Record<string, string> = {};
  readonly permit = new Permit();

  constructor({ clock }: Gateway, request: IncomingMessage, clientIp: string, search: string) {
    this.receivedAtMs = clock.nowMs();
    this.receivedAt = clock.date();
    this.requestId = newRequestId(this.receivedAt.getTime());
    this.headers = request.headers as Record<string, string | undefined>; // node joins repeated headers; set-cookie is never sent to servers
    this.clientIp = clientIp;
    this.search = search;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.search);
  }

  async readBody(): Promise<Buffer> {
    return Buffer.alloc(0);
  }
}
