import { isObject, type JsonObject } from "@/lib/kernel/json";
import { forwardChatBody, trimChatBody } from "@/lib/protocols/chat/forward-whole";
import { ChatForwarder } from "@/lib/protocols/chat/passthrough";
import { writeChatUsage } from "@/lib/protocols/chat/usage";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import { turnBlockNamesBack } from "@/lib/protocols/messages/names";
import { MessagesForwarder } from "@/lib/protocols/messages/passthrough";
import { writeMessagesUsage } from "@/lib/protocols/messages/usage";
import type { Protocol } from "@/lib/protocols/protocol";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { decodeWhole } from "./decoder";
import { withModelName } from "./model-name";

/** What a forwarder has to know about the request. */
export interface ForwardOptions {
  /** Our own response id; stands in where the upstream sends none. */
  id: string;
  /** The model name the client asked for. */
  alias: string;
  /** Chat: the client asked for the usage chunk. */
  includeUsage: boolean;
  /** Chat: an upstream that sends `[DONE]` may leave the finish reason out. Default true. */
  finishOptional?: boolean;
  /** Chat: how many choices the request asks for. Default 1. */
  choices?: number;
  /** Upstream's tool name → the client's. */
  toolNames?: ReadonlyMap<string, string>;
  /** Chat: only the first tool call goes out. */
  singleToolCall?: boolean;
  /** Chat: reasoning stays here. */
  excludeReasoning?: boolean;
}

/** What one frame gave: text for the client, events for the meter. */
export interface Forwarded {
  wire: string;
  events: readonly GenerationEvent[];
}

/**
 * Passes the stream of an upstream on to a client of the same protocol. Only what must change is touched; what is
 * not known goes through as it came. The terminal success frames are held back until `end()`.
 */
export interface AnswerForwarder {
  /** Never throws. After an `error` or `end` event nothing more comes out. */
  push(frame: SseFrame): Forwarded;
  /**
   * The held frames, or an `error` event when the stream has broken off. `usage`: the counts to show where the
   * upstream told none, or none that are sane.
   */
  end(usage?: PartialUsage): Forwarded;
  /** The finish reason has been told: nothing but usage and the terminal signal is still due. */
  readonly finishSeen: boolean;
}

/** The forwarder of a protocol's streams. Source: docs/protocols.md#s6, #s12-2. */
export function createForwarder(protocol: Protocol, options: ForwardOptions): AnswerForwarder {
  return protocol === "chat" ? new ChatForwarder(options) : new MessagesForwarder(options);
}

/** A whole answer on its way to a client of the same protocol. */
export interface ForwardedWhole {
  events: GenerationEvent[];
  /** The body. `usage`: the counts to show where the upstream told none, or none that are sane. */
  wire(usage?: PartialUsage): string;
}

/**
 * Passes a whole answer on to a client of the same protocol: its own bytes with the client's model name where nothing
 * else has to change. `body` is what `json` says; it is changed in place.
 *
 * Throws: nothing; a body that is no answer gives an `error` event. Source: docs/protocols.md#s6.
 */
export function forwardWhole(
  protocol: Protocol,
  json: string,
  body: JsonObject,
  options: ForwardOptions,
): ForwardedWhole {
  const repaired = protocol === "chat" && forwardChatBody(body, options);
  const events = decodeWhole(protocol, body, options);
  const trimmed = protocol === "chat" ? trimChatBody(body, options) : turnBlockNamesBack(body, options);
  return {
    events,
    wire(usage) {
      const same = repaired || trimmed || usage ? null : withModelName(json, body.model, options.alias);
      if (same !== null) return same;
      body.model = options.alias;
      if (usage) body.usage = corrected(protocol, body.usage, usage);
      return JSON.stringify(body);
    },
  };
}

/** The counts in place of the upstream's; what else it told stays. */
function corrected(protocol: Protocol, told: unknown, usage: PartialUsage): JsonObject {
  const counts = protocol === "chat" ? writeChatUsage(usage) : writeMessagesUsage(usage);
  return { ...(isObject(told) ? told : {}), ...counts };
}
