import type { ZodType } from "zod";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { CallPrices, OfferedCalls } from "@/lib/kernel/usage";
import type { Compatibility } from "@/lib/protocols/generation/problems";
import type { ConceptTable, FieldTable } from "./generation/concepts";
import type { NodeReasoning } from "./generation/parts";
import type { GenerationRequest } from "./generation/request";
import type { ExtraRules } from "./passes/extra-costs";
import type { Profile } from "./profiles/profile";

/** How a client's request is read and a node's request is written. */
export interface RequestAdapter {
  /** What a client may send; objects are loose, unknown fields stay. */
  readonly schema: ZodType;
  /** The same for a request whose tokens are only counted. */
  readonly countSchema: ZodType;
  /** What each top-level field of a client is about. */
  readonly fields: FieldTable;
  /** The top-level fields of a client that become prompt; from these its tokens are counted. */
  readonly promptFields: PromptFields;
  /** What becomes of each concept on a node. */
  readonly concepts: ConceptTable;
  /** What costs extra on a node. */
  readonly extras: ExtraRules;
  /** Requests may refer to earlier responses, and responses are stored unless the request says otherwise. */
  readonly stateful?: true;
  /**
   * True for a body that surely passes the schema: texts and numbers only. It spares most requests the schema; false says
   * nothing.
   */
  isPlain(body: JsonObject): boolean;
  /** Rules that a schema cannot say. Throws: INVALID_REQUEST naming the field. */
  check(body: JsonObject, options: CheckOptions): void;
  /**
   * What the requests of one conversation have in common, so that one node serves them. `session`: what the client's
   * headers call its session; the body's own mark goes before it. Shape: "" for nothing.
   */
  conversation(body: JsonObject, session?: string): string;
  /**
   * A body, not checked yet, of which parts are in another protocol's form; null: there are none. Absent: this protocol's
   * clients send none. Throws: INVALID_REQUEST.
   */
  ownForm?(body: JsonObject): OwnForm | null;
  /** The neutral request of a client's checked body. Throws: INVALID_REQUEST naming the client's field. */
  parse(body: JsonObject, context: ParseContext): GenerationRequest;
  /** The body of a node. Throws: INVALID_REQUEST for what this node cannot express. */
  render(request: GenerationRequest, target: Target): Rendered;
  /**
   * A node's body without the reasoning that only its maker can read, for a node that has refused it; null: there is
   * none in it. Source: docs/responses.md#s3-3.
   */
  withoutReasoning?(body: JsonObject): JsonObject | null;
  /** Same protocol on both sides: changes what must change and keeps every unknown field. Throws: as `render`. */
  patch(body: JsonObject, target: Target): Rendered;
}

/** A body in its protocol's own form, and what was lost on the way. */
export interface OwnForm {
  body: JsonObject;
  losses: readonly string[];
}

/** Names of the fields whose tokens are input tokens. */
export interface PromptFields {
  /** The list of turns; it stands in `content` too. */
  readonly turns: string;
  /** Fields that hold text, or lists of parts with text. */
  readonly content: readonly string[];
  /** Fields that the model gets as JSON: tools, the schema of the answer. */
  readonly json: readonly string[];
}

/** What the rules for a client's request depend on. */
export interface CheckOptions {
  compatibility: Compatibility;
  /** The client's protocol version, see `readVersion`. */
  version: string;
}

/** What reading a client's request depends on besides its body. */
export interface ParseContext extends CheckOptions {
  /** The client's headers, lower case. */
  headers: Readonly<Record<string, string | undefined>>;
}

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
