import type { JsonObject } from "@/lib/kernel/json";
import type { Compatibility } from "@/lib/protocols/generation/compatibility";
import { Warnings } from "@/lib/protocols/generation/losses";
import { ToolIds } from "@/lib/protocols/passes/tool-ids";
import { ToolNames } from "@/lib/protocols/passes/tool-names";
import type { Profile } from "@/lib/protocols/profiles/profile";
import type { Protocol } from "@/lib/protocols/protocol";

/** What a conversion depends on besides the body. */
export interface PrepareContext {
  clientProtocol: Protocol;
  upstreamProtocol: Protocol;
  alias: string;
  upstreamModel: string;
  profile: Profile;
  compatibility: Compatibility;
  /** The alias's own limit for chat requests that name none; null: it has none. */
  defaultMaxTokens: number | null;
  /** Output tokens that a quarter of the caller's balance pays for; bounds a limit that is chosen here. */
  affordableOutput: number;
  /** What the prompt leaves of the model's context; bounds such a limit too. Units: tokens. */
  contextLeft: number;
  /** The alias's ceiling; null: the profile's. */
  maxOutputTokens: number | null;
  /** The client's protocol version, see `readVersion`. */
  version: string;
  /** Key for reasoning tags and hashed user ids. */
  provenanceKey: string;
  /** The client's headers, lower case; a few protocol headers are read from them. */
  headers?: Record<string, string | undefined>;
}

/** A request as one node gets it, and what the answer path must know about it. */
export interface PreparedRequest {
  /** The exact upstream body. */
  body: JsonObject;
  /** Protocol headers only, no credentials. */
  headers: Record<string, string>;
  warnings: string[];
  /** The client wants a stream. */
  stream: boolean;
  upstreamStream: boolean;
  /** A chat client asked for the usage chunk. */
  includeUsage: boolean;
  /** Answer in the older `function_call` shape. */
  legacyFunctions: boolean;
  excludeReasoning: boolean;
  /** Keep only the first tool call. Source: docs/protocols.md#d10. */
  singleToolCall: boolean;
  /** Upstream name to the client's name, changed ones only. */
  toolNames: Map<string, string>;
  /** How many choices the node is asked for. */
  choices: number;
  /** The output ceiling actually sent, for all choices together. */
  maxTokens: number;
  /** The client named no limit. */
  limitChosen: boolean;
  stopSequences: string[];
}

/** The state of one conversion: its context, and what has been learnt on the way. */
export interface Conversion {
  context: PrepareContext;
  profile: Profile;
  warnings: Warnings;
  names: ToolNames;
  ids: ToolIds;
}

/** The state a conversion starts with. */
export function openConversion(context: PrepareContext): Conversion {
  return {
    context,
    profile: context.profile,
    warnings: new Warnings(),
    names: new ToolNames(context.profile.toolNameMax),
    ids: new ToolIds(context.upstreamProtocol),
  };
}
