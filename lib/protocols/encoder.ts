import type { JsonObject } from "@/lib/kernel/json";
import { ChatEncoder } from "@/lib/protocols/chat/encode";
import { foldChat } from "@/lib/protocols/chat/fold";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { MessagesEncoder } from "@/lib/protocols/messages/encode";
import { foldMessages } from "@/lib/protocols/messages/fold";
import type { Protocol } from "@/lib/protocols/protocol";

/** What an encoder has to know about the request. */
export interface EncodeOptions {
  /** Response id with the prefix of the client's protocol. */
  id: string;
  /** The model name the client asked for. */
  alias: string;
  /** Unix seconds, one value per response. */
  created: number;
  /** Chat: the client asked for the usage chunk. */
  includeUsage: boolean;
  /** Chat: the client used `functions`; answer with `function_call`. */
  legacyFunctions: boolean;
  excludeReasoning: boolean;
  /** Only the first tool call goes out. */
  singleToolCall: boolean;
  /** Upstream's tool name → the client's. */
  toolNames: ReadonlyMap<string, string>;
  /** As the client sent them. */
  stopSequences: readonly string[];
  /** Input tokens shown in `message_start`, before the upstream has told its own. */
  inputEstimate: number;
  /**
   * Signs reasoning that a chat upstream gave to a messages client (docs/protocols.md#s8-3); null where the upstream
   * is a messages one, whose own signatures go through.
   */
  signReasoning: ((text: string) => string) | null;
  /** Tags opaque reasoning in the same case; without it such reasoning is left out. */
  tagOpaque?: ((data: string) => string) | null;
}

/**
 * Writes one answer as the wire text of a stream. Everything but the end goes out of `push`; `finish` and
 * `usage` are kept, so that a later `usage` event (an estimate, say) still replaces what the upstream told.
 */
export interface AnswerEncoder {
  /** Returns wire text, "" for nothing. `error` and `end` write nothing. */
  push(event: GenerationEvent): string;
  /** The terminal success frames; call it once, after the money is settled, and never after a failure. */
  end(): string;
  /** Codes of what had to be left out. */
  readonly warnings: readonly string[];
}

/** The stream encoder for a client. Source: docs/protocols.md#s12-4, #s12-5. */
export function createEncoder(clientProtocol: Protocol, options: EncodeOptions): AnswerEncoder {
  return clientProtocol === "chat" ? new ChatEncoder(options) : new MessagesEncoder(options);
}

/**
 * The unstreamed body of the same events; equal to its stream by construction.
 *
 * Throws: nothing for events that end in `end`; `error` events are the caller's to look for.
 * Source: docs/protocols.md#s9.
 */
export function foldWhole(
  clientProtocol: Protocol,
  events: Iterable<GenerationEvent>,
  options: EncodeOptions,
): JsonObject {
  return clientProtocol === "chat" ? foldChat(events, options) : foldMessages(events, options);
}
