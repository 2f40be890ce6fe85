import type { JsonObject } from "@/lib/kernel/json-object";
import type { CallPrices, OfferedCalls } from "@/lib/kernel/usage";
import type { NodeReasoning } from "@/lib/protocols/generation/parts";
import type { OtherPrice } from "@/lib/protocols/passes/extra-costs";
import type { Profile } from "@/lib/protocols/profiles/profile";
import type { ParseContext } from "./client-request";

/** The node that a request is written for. */
export interface Target extends ParseContext {
  alias: string;
  upstreamModel: string;
  profile: Profile;
  /** The alias's own limit for requests without one; null: none. Units: tokens. */
  defaultMaxTokens: number | null;
  /** The alias's own ceiling, which replaces the profile's `maxOutput`; null: the profile's applies. Units: tokens. */
  maxOutputTokens: number | null;
  /**
   * Bounds of a limit that the gateway chooses: the output that the caller can pay for and that the context window
   * leaves. Units: tokens.
   */
  affordableOutput: number;
  contextLeft: number;
  /** The tools with a price on the alias; a node may run no others. Source: docs/responses.md#s3-6. */
  perCall: CallPrices;
  /** What else has a price on the alias; absent: nothing. Source: docs/protocols.md#s6-3. */
  extraPrices?: ReadonlySet<OtherPrice>;
  /** The key of pseudonyms, and of the reasoning tags of former versions. */
  provenanceKey: string;
  /** Opens reasoning that the gateway sealed for a client; null for everything that this node cannot read. */
  openReasoning(sealed: string): NodeReasoning | null;
}

/** The request of one node, and the facts about it that the answer path needs. */
export interface Rendered {
  body: JsonObject;
  /** Protocol headers only, no credentials. */
  headers: Record<string, string>;
  /** The losses and changes, e.g. `dropped:seed`. */
  losses: string[];
  /**
   * The request to the node asks for a stream; a converted request may do so although the client wants none. Source:
   * docs/protocols.md#d13.
   */
  stream: boolean;
  /** The client wants a stream. */
  clientStream: boolean;
  /** The number of choices in the request to the node. */
  choices: number;
  /** The output limit of all choices together; the money hold is computed from it. Units: tokens. */
  maxTokens: number;
  /** The client set no limit. */
  limitChosen: boolean;
  /** Upstream's tool name → the client's, changed ones only. */
  toolNames: ReadonlyMap<string, string>;
  /** The node's names of custom tools that are sent as functions. Source: docs/responses.md#s1-6. */
  wrappedTools: ReadonlySet<string>;
  /** The client does not want reasoning. */
  hideReasoning: boolean;
  /** Only the first tool call is sent to the client. Source: docs/protocols.md#d10. */
  singleToolCall: boolean;
  /** Stop sequences that the node does not support: the gateway itself ends the answer at them; absent: none. */
  stops?: readonly string[];
  /**
   * A prompt instruction, not a field, asks the node for JSON: a code fence around the answer is removed. Source:
   * docs/protocols.md#s5-7.
   */
  jsonInWords?: true;
  /** The tools that the node may run and bill by the call; absent: none. */
  offeredCalls?: OfferedCalls;
}
