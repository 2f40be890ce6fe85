import type { Socket } from "node:net";
import type { RawData, WebSocket } from "ws";
import { UNUSABLE_KEY } from "@/lib/accounts/gateway-key";
import { shuttingDownError } from "@/lib/admission/admission";
import { connectionMember } from "@/lib/billing/connection-member";
import type { Gateway } from "@/lib/gateway/runtime";
import type { WallClock } from "@/lib/kernel/clock";
import { SECOND_MS } from "@/lib/kernel/durations";
import { GatewayError } from "@/lib/kernel/errors";
import { printJson } from "@/lib/kernel/exact-json";
import type { SocketBounds } from "./bounds";
import { type ClientMessage, readClientMessage, type TurnRequest } from "./client-message";
import { errorEventOf } from "./error-event";
import { Lanes } from "./lanes";
import { performTurn } from "./perform-turn";
import { prepareTurns } from "./prepare-turns";
import { ReadGate } from "./read-gate";
import { type MemoryPool, SocketMemory } from "./remembered";
import { SocketWatch } from "./socket-watch";
import { SocketWriter } from "./socket-writer";
import { SOCKET_PROTOCOL, TurnCall, type TurnOrigin } from "./turn-call";

/** What all sockets of a process share. */
export interface SocketParts {
  readonly gateway: Gateway;
  readonly wall: WallClock;
  readonly bounds: SocketBounds;
  readonly pool: MemoryPool;
  /** Called once, with the code of the close. */
  onClose(socket: ClientSocket, code: number): void;
  /** Gets malfunctions. */
  failed(error: unknown): void;
}

/** A socket whose handshake has passed. */
export interface OpenedSocket {
  readonly id: string;
  readonly keyId: string;
  readonly socket: WebSocket;
  readonly connection: Socket;
  readonly origin: TurnOrigin;
}

/** How a socket ends once its running turns have ended. */
interface Ending {
  code: number;
  reason: string;
  /** What turns get that would begin; told once more at the end if `isTold`. */
  refusal: GatewayError;
  isTold: boolean;
}

/** One socket of a client: many turns, each a call of its own. Source: docs/websocket.md#turns. */
export class ClientSocket {
  readonly keyId: string;
  readonly keyHash: string;
  readonly #parts: SocketParts;
  readonly #opened: OpenedSocket;
  readonly #openedAtMs: number;
  readonly #lanes: Lanes;
  readonly #memory: SocketMemory;
  readonly #gate: ReadGate;
  readonly #writer: SocketWriter;
  readonly #watch: SocketWatch;
  readonly #running = new Set<TurnCall>();
  #ending: Ending | null = null;
  #turns = 0;

  constructor(parts: SocketParts, opened: OpenedSocket) {
    const { gateway, bounds, pool } = parts;
    const { socket, connection, origin } = opened;
    this.keyId = opened.keyId;
    this.keyHash = origin.caller.keyHash;
    this.#parts = parts;
    this.#opened = opened;
    this.#openedAtMs = gateway.clock.nowMs();
    this.#lanes = new Lanes(bounds, gateway.settings.maxBodyBytes, () => this.#turnsEnded());
    this.#memory = new SocketMemory(pool, bounds.rememberedBytesPerSocket);
    this.#gate = new ReadGate(socket);
    this.#writer = new SocketWriter({ socket, connection, gate: this.#gate, bounds });
    this.#watch = new SocketWatch(socket, connection, bounds, this.#openedAtMs);
    // Errors are about what the client sent; the library closes the socket with the code for it.
    socket.on("error", () => this.#leave());
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    socket.on("close", (code) => this.#closed(code));
    connection.once("end", () => this.#leave());
  }

  /** Looks at the times; called about every second. */
  look(nowMs: number): void {
    const trouble = this.#watch.look(nowMs, !this.#lanes.isIdle, this.#gate.isHeld);
    if (trouble === "idle") this.#close(1001, "Nothing was asked for a while.");
    else if (trouble === "slow_message") this.#close(1008, "A message took too long to arrive.");
    else if (trouble === "no_pong") this.#opened.socket.terminate();
  }

  /** The key is not usable any more: no turn begins, and the socket closes when those that run have ended. */
  keyEnded(): void {
    const refusal = new GatewayError("INVALID_API_KEY", UNUSABLE_KEY);
    this.#end({ code: 1008, reason: "The API key is not valid any more.", refusal, isTold: true });
  }

  /** The process shuts down: the socket closes when its running turns have ended. */
  drain(): void {
    const refusal = shuttingDownError();
    this.#end({ code: 1012, reason: "The gateway is being stopped.", refusal, isTold: false });
  }

  #receive(data: RawData, isBinary: boolean): void {
    const { socket } = this.#opened;
    // Its client will not get an answer any more.
    if (socket.readyState !== socket.OPEN) return;
    const nowMs = this.#parts.gateway.clock.nowMs();
    this.#watch.received(nowMs);
    if (isBinary || !Buffer.isBuffer(data)) {
      this.#leave();
      this.#close(1003, "Messages must be text.");
      return;
    }
    const message = readClientMessage(data);
    switch (message.kind) {
      case "create":
        this.#request(message.request, data.length, nowMs);
        return;
      case "steer":
        this.#refuseSteering(message);
        return;
      case "refused":
        this.#refuse(message.error, message.lane);
        return;
      case "ignored":
        return;
    }
  }

  #request(request: TurnRequest, bytes: number, nowMs: number): void {
    const { ageMs } = this.#parts.bounds;
    if (this.#ending === null && nowMs - this.#openedAtMs >= ageMs)
      this.#end(
        { code: 1000, reason: "The socket is too old.", refusal: tooOld(), isTold: false },
        request.lane,
      );
    else if (this.#ending !== null) this.#refuse(this.#ending.refusal, request.lane);
    else this.#admit(request, bytes);
  }

  #admit(request: TurnRequest, bytes: number): void {
    const { lane, previousId } = request;
    if (previousId !== null) this.#memory.pin(previousId);
    const unpin = () => {
      if (previousId !== null) this.#memory.unpin(previousId);
    };
    const perform = () => this.#perform(request).finally(unpin);
    if (this.#lanes.add({ lane, bytes, perform, drop: unpin })) return;
    unpin();
    this.#refuse(tooManyWaiting(), lane);
  }

  /** Never rejects. */
  async #perform(request: TurnRequest): Promise<void> {
    if (this.#ending !== null) return this.#refuse(this.#ending.refusal, request.lane);
    const { gateway, wall, failed } = this.#parts;
    const { lane } = request;
    this.#turns += 1;
    const receivedAtMs = gateway.clock.nowMs();
    const call = new TurnCall(this.#opened.origin, request, {
      receivedAtMs,
      receivedAt: wall.dateOf(receivedAtMs),
      memory: this.#memory.ofLane(lane),
      logMember: connectionMember(this.#opened.id, lane),
      turn: this.#turns,
    });
    this.#running.add(call);
    try {
      const handler = request.prepares ? prepareTurns : undefined;
      const pauseSeconds = await performTurn(gateway, call, { lane, sink: this.#writer, handler });
      if (pauseSeconds !== undefined) this.#holdBack(pauseSeconds);
    } catch (error) {
      failed(error);
      this.#close(1011, "Something went wrong on our side.");
    } finally {
      this.#running.delete(call);
      this.#watch.turnEnded(gateway.clock.nowMs());
    }
  }

  /** Under overload nothing is read from a refused client for a while. */
  #holdBack(seconds: number): void {
    this.#gate.hold();
    setTimeout(() => this.#gate.release(), seconds * SECOND_MS).unref();
  }

  #refuse(error: GatewayError, lane: string | null): void {
    this.#parts.gateway.refusals.sent(error);
    void this.#writer.send(errorEventOf(error, SOCKET_PROTOCOL, lane));
  }

  #refuseSteering({ previousId, input }: ClientMessage & { kind: "steer" }): void {
    const message = "Responses cannot be steered here; send the input with response.create.";
    const error = { type: "invalid_request_error", code: "steering_not_supported", message };
    const steer = { previous_response_id: previousId, input };
    void this.#writer.send(printJson({ type: "response.steer.failed", sequence_number: 0, error, steer }));
  }

  /** `lane`: of the request that is refused because of this; absent: there is none. */
  #end(ending: Ending, lane?: string | null): void {
    if (this.#ending !== null) return;
    this.#ending = ending;
    if (lane !== undefined) this.#refuse(ending.refusal, lane);
    if (this.#lanes.isIdle) this.#turnsEnded();
  }

  #turnsEnded(): void {
    const ending = this.#ending;
    if (ending === null) return;
    if (ending.isTold) this.#refuse(ending.refusal, null);
    this.#close(ending.code, ending.reason);
  }

  #close(code: number, reason: string): void {
    this.#opened.socket.close(code, reason);
  }

  /** The client has left: what runs for it is cancelled. */
  #leave(): void {
    this.#lanes.clear();
    for (const call of [...this.#running]) call.signal.abort();
  }

  #closed(code: number): void {
    this.#leave();
    this.#memory.close();
    this.#parts.onClose(this, code);
  }
}

/** The words that clients know from OpenAI: they open another socket at once. */
function tooOld(): GatewayError {
  return new GatewayError("INVALID_REQUEST", "This socket is an hour old. Open a new one and go on there.", {
    vendorCode: "websocket_connection_limit_reached",
  });
}

function tooManyWaiting(): GatewayError {
  return new GatewayError("RATE_LIMITED", "Too many responses wait on this socket. Please try again in 1s.", {
    vendorCode: "too_many_pending_responses",
    retryAfterSeconds: 1,
  });
}
