import type { GatewayRequest, KnownCaller } from "@/lib/gateway/gateway-request";
import type { ResponseMemory } from "@/lib/gateway/responses-state/response-memory";
import { Permit } from "@/lib/kernel/permit";
import { newRequestId } from "@/lib/kernel/request-id";
import { type ClientProtocol, clientPaths } from "@/lib/protocols/protocol";
import { Cancellation } from "@/lib/upstream/cancellation";
import type { TurnRequest } from "./client-message";

/** The protocol whose clients have sockets. */
export const SOCKET_PROTOCOL: ClientProtocol = "responses";

/** What all turns of one socket share. */
export interface TurnOrigin {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly search: string;
  readonly clientIp: string;
  readonly caller: KnownCaller;
}

/** When a turn begins, and where. */
export interface TurnPlace {
  readonly receivedAtMs: number;
  readonly receivedAt: Date;
  readonly memory: ResponseMemory;
  readonly logMember: string;
  readonly turn: number;
}

/** One turn of a socket as the call that POST would be. Source: docs/websocket.md#turns. */
export class TurnCall implements GatewayRequest {
  readonly requestId: string;
  readonly protocol = SOCKET_PROTOCOL;
  readonly method = "POST";
  readonly path = clientPaths[SOCKET_PROTOCOL];
  readonly headers: Record<string, string | undefined>;
  readonly clientIp: string;
  readonly signal = new Cancellation();
  readonly receivedAtMs: number;
  readonly receivedAt: Date;
  readonly replyHeaders: Record<string, string> = {};
  readonly permit = new Permit();
  readonly connection: NonNullable<GatewayRequest["connection"]>;
  readonly #search: string;
  #body: Buffer;

  constructor({ headers, search, clientIp, caller }: TurnOrigin, request: TurnRequest, place: TurnPlace) {
    const { receivedAtMs, receivedAt, memory, logMember, turn } = place;
    this.requestId = newRequestId(receivedAt.getTime());
    this.headers = request.session === null ? headers : { ...headers, "session-id": request.session };
    this.clientIp = clientIp;
    this.receivedAtMs = receivedAtMs;
    this.receivedAt = receivedAt;
    this.connection = { caller, memory, logMember, turn };
    this.#search = search;
    this.#body = request.body;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#search);
  }

  /** Called once. */
  async readBody(): Promise<Buffer> {
    const body = this.#body;
    this.#body = Buffer.alloc(0);
    return body;
  }
}
