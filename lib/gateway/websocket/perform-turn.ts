import { dispatch, type Handler, refuseAtArrival } from "@/lib/gateway/dispatch";
import type { FrameSink, Reply } from "@/lib/gateway/reply";
import type { Gateway } from "@/lib/gateway/runtime";
import { errorEvent } from "./error-event";
import { EventTexts } from "./event-texts";
import type { TurnCall } from "./turn-call";

/** Where the events of a turn go. */
export interface EventSink {
  /** Null when more may follow at once, else a promise that resolves then. */
  send(event: string): Promise<void> | null;
}

/** How a turn is answered. */
export interface TurnAnswer {
  readonly lane: string | null;
  readonly sink: EventSink;
  /** Undefined: as POST. */
  readonly handler: Handler | undefined;
}

/**
 * Performs one turn as the pipeline performs POST, and sends its events. Resolves when all are sent, with the time for
 * which nothing should be read from the client, if there is one. Units: seconds. Rejects: malfunctions.
 * Source: docs/websocket.md#turns.
 */
export async function performTurn(
  gateway: Gateway,
  call: TurnCall,
  { lane, sink, handler }: TurnAnswer,
): Promise<number | undefined> {
  const refusal = refuseAtArrival(gateway, call);
  if (refusal !== null) {
    await sink.send(errorEvent(refusal, lane));
    return refusal.holdBackSeconds;
  }
  gateway.drain.requestStarted();
  try {
    const reply = await new Promise<Reply>((resolve, reject) =>
      dispatch(gateway, call, resolve, reject, handler),
    );
    if (typeof reply.body === "string") await sink.send(errorEvent(reply, lane));
    else await reply.body(sinkOf(sink, lane));
    return reply.holdBackSeconds;
  } finally {
    gateway.drain.requestEnded();
    call.permit.release();
  }
}

/** A sink for frames that sends their events. */
function sinkOf(sink: EventSink, lane: string | null): FrameSink {
  const texts = new EventTexts(lane);
  return {
    write(frames) {
      let waiting: Promise<void> | null = null;
      for (const event of texts.push(frames)) waiting = sink.send(event) ?? waiting;
      return waiting;
    },
  };
}
