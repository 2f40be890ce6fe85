import type { JsonObject } from "@/lib/kernel/json-object";

// What turns and tools of a GenerationRequest are made of. `source` is always a path in the client's own body.

/** One role's contribution. Neighbours may have the same role. */
export interface Turn {
  role: "system" | "developer" | "user" | "assistant" | "tool";
  source: string;
  parts: readonly Part[];
  /** A cache mark of the whole turn. */
  cache: CacheMark | undefined;
}

/** A mark up to which the prompt may be cached. Shape: `type`, perhaps `ttl`, as the client wrote it. */
export type CacheMark = JsonObject;

/** One element of a turn or of a tool's result. */
export type Part =
  | TextPart
  | RefusalPart
  | ImagePart
  | AudioPart
  | DocumentPart
  | ReasoningPart
  | ToolCallPart
  | ToolResultPart
  | ToolReferencePart
  | ServerStepPart
  | NativePart;

/** Text. */
export interface TextPart {
  kind: "text";
  source: string;
  text: string;
  cache: CacheMark | undefined;
}

/** The text with which the model refused. */
export interface RefusalPart {
  kind: "refusal";
  source: string;
  text: string;
}

/** A picture. `source` is where the client says where it comes from. */
export interface ImagePart {
  kind: "image";
  source: string;
  media: Media;
  /** How closely the model looks at it; null: as it likes. */
  detail: "low" | "high" | "auto" | null;
  cache: CacheMark | undefined;
}

/** Audio. No node of another protocol takes it. */
export interface AudioPart {
  kind: "audio";
  source: string;
}

/** A file. */
export interface DocumentPart {
  kind: "document";
  source: string;
  title: string | null;
  /** What the reader should know about it. */
  context: string | null;
  /** The client wants citations of it. */
  cited: boolean;
  media: Media | TextMedia | PartsMedia;
  cache: CacheMark | undefined;
}

/** Where a picture or a file is. `other` is a place that only the client's protocol knows. */
export type Media =
  | { form: "data"; mediaType: string; data: string } // base64
  | { form: "url"; url: string }
  | { form: "other" };

/** A file whose text is here. */
export interface TextMedia {
  form: "text";
  text: string;
}

/** A file that is made of parts. */
export interface PartsMedia {
  form: "parts";
  parts: readonly Part[];
}

/** Reasoning: the text that was shown, and the form in which the vendor of the model recognises it. */
export interface ReasoningPart {
  kind: "reasoning";
  source: string;
  text: string | null;
  /** The maker's signature of the text. */
  signature: string | null;
  /** Reasoning that only its maker can read. */
  sealed: string | null;
  /** The maker's own name for the form of both; null: not known. */
  format: string | null;
}

/**
 * Reasoning as a node gave it, for the way through a client of another protocol and back.
 * Source: docs/protocols.md#s8-3.
 */
export interface NodeReasoning {
  text: string;
  signature: string | null;
  opaque: string | null;
  /** The node's id of the item. */
  id?: string;
}

/** A tool that the model wants to be called. */
export interface ToolCallPart {
  kind: "tool_call";
  source: string;
  /** The id that the client uses, perhaps empty or not unique. */
  callId: string;
  name: string;
  /** The arguments. Shape: JSON text where `inputIsText`, else the value. */
  input: unknown;
  inputIsText: boolean;
  /** A custom tool: its input is any text. */
  custom: boolean;
}

/** What a tool answered. */
export interface ToolResultPart {
  kind: "tool_result";
  source: string;
  /** Null: the client named none. */
  callId: string | null;
  /** The tool, where the client names it instead of the call; else null. */
  name: string | null;
  content: string | readonly Part[];
  isError: boolean;
  cache: CacheMark | undefined;
}

/** A tool that a search among tools has found. */
export interface ToolReferencePart {
  kind: "tool_reference";
  source: string;
  name: string;
}

/** What a tool of the server did in an earlier turn, as text that any model reads. */
export interface ServerStepPart {
  kind: "server_step";
  source: string;
  /** The client's word for it. */
  type: string;
  text: string;
}

/** A part that the neutral model has no kind for. `text` says the same in words; null: it is lost on another protocol. */
export interface NativePart {
  kind: "native";
  source: string;
  /** The client's word for it. */
  type: string;
  text: string | null;
}

/** A tool that the model may call. */
export type Tool = FunctionTool | CustomTool | HostedTool;

/** A tool of the caller's, whose arguments are a JSON object. */
export interface FunctionTool {
  kind: "function";
  source: string;
  name: string;
  description: string | null;
  /** A JSON schema; null: no arguments. */
  parameters: JsonObject | null;
  /** Arguments must follow the schema exactly. */
  strict: boolean;
  cache: CacheMark | undefined;
}

/** A tool of the caller's, whose input is any text, perhaps of a grammar. */
export interface CustomTool {
  kind: "custom";
  source: string;
  name: string;
  description: string | null;
  /** Null: any text. */
  grammar: Grammar | null;
}

/** What the input of a custom tool must match. Shape: `syntax` is `lark`, `regex` or what the client wrote. */
export interface Grammar {
  syntax: string;
  definition: string;
}

/** A tool that the node runs, or that only one maker's models know. */
export interface HostedTool {
  kind: "hosted";
  source: string;
  name: string | null;
  /** The client's word for it. */
  type: string;
  runs: "web search" | "on the server" | "as its maker defined" | "unknown";
  /** Location of the user; null: unknown. */
  location: JsonObject | null;
  /** How much a web search may read: `low`, `medium` or `high`; null: unknown. */
  contextSize: string | null;
  /** The most calls of a web search; absent: the client names no limit. */
  maxUses?: number;
  /** What becomes of a request that a node cannot serve it with: it goes on without, perhaps only if another tool is left. */
  missing: "left out" | "left out beside others" | "refused";
}

/** True when some tool or call is a custom one. */
export function usesCustomTools(tools: readonly Tool[], turns: readonly Turn[]): boolean {
  const isCalled = ({ parts }: Turn) => parts.some((part) => part.kind === "tool_call" && part.custom);
  return tools.some(({ kind }) => kind === "custom") || turns.some(isCalled);
}
