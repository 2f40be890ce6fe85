import { ChatDecoder } from "@/lib/protocols/chat/decode";
import { chatChunks } from "@/lib/protocols/chat/whole";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { MessagesDecoder } from "@/lib/protocols/messages/decode";
import { messagesPayloads } from "@/lib/protocols/messages/whole";
import type { Protocol } from "@/lib/protocols/protocol";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

/** What a decoder has to know about the request and the upstream. */
export interface DecodeOptions {
  /** Our own response id; stands in where the upstream sends none. */
  id: string;
  /** A chat upstream that sends `[DONE]` may leave the finish reason out. Default true. */
  finishOptional?: boolean;
  /** Chat: how many choices the request asks for. Default 1. */
  choices?: number;
  /** Messages clients need tool arguments that are JSON objects: with `messages`, others are a failure. */
  clientProtocol?: Protocol;
}

/** Reads the frames of one upstream stream. After `error` or `end` it returns nothing more. */
export interface AnswerDecoder {
  /** Never throws: a broken frame becomes an `error` event. */
  push(frame: SseFrame): GenerationEvent[];
  /** What the end of the bytes means: the missing end of a good answer, or an `error`. */
  end(): GenerationEvent[];
  /** The finish reason has been told: nothing but usage and the terminal signal is still due. */
  readonly finishSeen: boolean;
}

/** The decoder of an upstream's streams. Source: docs/protocols.md#s12. */
export function createDecoder(upstreamProtocol: Protocol, options: DecodeOptions): AnswerDecoder {
  return upstreamProtocol === "chat" ? new ChatDecoder(options) : new MessagesDecoder(options);
}

/**
 * A whole JSON answer as the frames of a stream, for a forwarder whose upstream did not stream though it was asked.
 * Source: docs/protocols.md#s12-1.
 */
export function wholeFrames(protocol: Protocol, body: unknown, choices = 1): SseFrame[] {
  const payloads = protocol === "chat" ? chatChunks(body, choices) : messagesPayloads(body);
  const frames = payloads.map((payload) => ({
    event: protocol === "messages" && typeof payload.type === "string" ? payload.type : null,
    data: JSON.stringify(payload),
  }));
  return protocol === "chat" ? [...frames, { event: null, data: "[DONE]" }] : frames;
}

/**
 * A whole JSON answer as the same events that its stream would have given.
 *
 * Throws: nothing; what cannot be read becomes an `error` event. Source: docs/protocols.md#s9, #s12-1.
 */
export function decodeWhole(
  upstreamProtocol: Protocol,
  body: unknown,
  options: DecodeOptions,
): GenerationEvent[] {
  if (upstreamProtocol === "chat") {
    const decoder = new ChatDecoder(options);
    return [
      ...chatChunks(body, options.choices).flatMap((chunk) => decoder.accept(chunk)),
      ...decoder.done(),
    ];
  }
  const decoder = new MessagesDecoder(options);
  return [...messagesPayloads(body).flatMap((payload) => decoder.accept(payload)), ...decoder.end()];
}
