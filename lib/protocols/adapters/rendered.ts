import type { JsonObject } from "@/lib/kernel/json-object";
import type { CallPrices, OfferedCalls } from "@/lib/kernel/usage";
import type { NodeReasoning } from "@/lib/protocols/generation/parts";
import type { Profile } from "@/lib/protocols/profiles/profile";
import type { ParseContext } from "./client-request";

/** The node that a request is written for. */
export interface Target extends ParseContext {
  alias: string;
  upstreamModel: string;
  profile: Profile;
  /** The alias's own limit for requests that name none; null: it has none. Units: tokens. */
  defaultMaxTokens: number | null;
  /** The alias's own ceiling, which replaces the profile's `maxOutput`; null: that one. Units: tokens. */
  maxOutputTokens: number | null;
  /** Bounds of a limit that is chosen here: what the caller can pay, what the prompt leaves. Units: tokens. */
  affordableOutput: number;
  contextLeft: number;
  /** The tools that the alias has a price for; a node may run no others. Source: docs/responses.md#s3-6. */
  perCall: CallPrices;
  /** Key of pseudonyms, and of the tags that former versions put on reasoning. */
  provenanceKey: string;
  /** Reasoning that the gateway has sealed for a client; null for everything that this node cannot read. */
  openReasoning(sealed: string): NodeReasoning | null;
}

/** A request as one node gets it, and what the answer path must know about it. */
export interface Rendered {
  body: JsonObject;
  /** Protocol headers only, no credentials. */
  headers: Record<string, string>;
  /** What was lost or altered, e.g. `dropped:seed`. */
  losses: string[];
  /** The node is asked for a stream; a conversion may do so although the client wants none. Source: docs/protocols.md#d13. */
  stream: boolean;
  /** The client wants a stream. */
  clientStream: boolean;
  /** How many choices the node is asked for. */
  choices: number;
  /** The output limit of all choices together; the money hold is computed from it. Units: tokens. */
  maxTokens: number;
  /** The client named no limit. */
  limitChosen: boolean;
  /** Upstream's tool name → the client's, changed ones only. */
  toolNames: ReadonlyMap<string, string>;
  /** The node's names of custom tools that it knows as functions. Source: docs/responses.md#s1-6. */
  wrappedTools: ReadonlySet<string>;
  /** The client does not want to see reasoning. */
  hideReasoning: boolean;
  /** Only the first tool call goes to the client. Source: docs/protocols.md#d10. */
  singleToolCall: boolean;
  /** Stop sequences that the node does not know: the answer is ended there for it; absent: none. */
  stops?: readonly string[];
  /** The node was told in words to answer with JSON: a code fence around it is taken off. Source: docs/protocols.md#s5-7. */
  jsonInWords?: true;
  /** The tools that the node may run and bill by the call; absent: none. */
  offeredCalls?: OfferedCalls;
}
