import type { JsonObject } from "@/lib/kernel/json-object";

// The parts of turns, and the tools, of a GenerationRequest. `source` is always a path in the client's own body.

/** One role's contribution. Adjacent turns may have the same role. */
export interface Turn {
  role: "system" | "developer" | "user" | "assistant" | "tool";
  source: string;
  parts: readonly Part[];
  /** A cache mark of the whole turn. */
  cache: CacheMark | undefined;
}

/** A mark up to which the prompt may be cached. Shape: `type`, optionally `ttl`, as the client wrote it. */
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

/** A picture. `source` is the path of its location in the client's body. */
export interface ImagePart {
  kind: "image";
  source: string;
  media: Media;
  /** The resolution at which the model reads the picture; null: the model's default. */
  detail: "low" | "high" | "auto" | null;
  cache: CacheMark | undefined;
}

/** Audio. Shape: `media` in base64; absent: audio that only the client's own protocol can name. */
export interface AudioPart {
  kind: "audio";
  source: string;
  media?: { mediaType: string; data: string };
}

/** A file. */
export interface DocumentPart {
  kind: "document";
  source: string;
  title: string | null;
  /** Context of the file for the model. */
  context: string | null;
  /** The client wants citations from it. */
  cited: boolean;
  media: Media | TextMedia | PartsMedia;
  cache: CacheMark | undefined;
}

/** The location of a picture or a file. `other` is a location that only the client's protocol has. */
export type Media =
  | { form: "data"; mediaType: string; data: string } // base64
  | { form: "url"; url: string }
  | { form: "other" };

/** A file whose text is in the request. */
export interface TextMedia {
  form: "text";
  text: string;
}

/** A file that is made of parts. */
export interface PartsMedia {
  form: "parts";
  parts: readonly Part[];
}

/** Reasoning: the text that was shown, and the form in which the model's vendor recognises it. */
export interface ReasoningPart {
  kind: "reasoning";
  source: string;
  text: string | null;
  /** The vendor's signature of the text. */
  signature: string | null;
  /** Reasoning that only its vendor can read. */
  sealed: string | null;
  /** The vendor's name for the format of both; null: not known. */
  format: string | null;
}

/**
 * Reasoning of a node, in a form that a client of another protocol can replay.
 * Source: docs/protocols.md#s8-3.
 */
export interface NodeReasoning {
  text: string;
  signature: string | null;
  opaque: string | null;
  /** The node's id of the item. */
  id?: string;
}

/** A call of a tool by the model. */
export interface ToolCallPart {
  kind: "tool_call";
  source: string;
  /** The client's id of the call; it may be empty or not unique. */
  callId: string;
  name: string;
  /** The arguments. Shape: JSON text if `inputIsText`, else the value. */
  input: unknown;
  inputIsText: boolean;
  /** A custom tool: its input is any text. */
  custom: boolean;
}

/** The result of a tool. */
export interface ToolResultPart {
  kind: "tool_result";
  source: string;
  /** Null: the client sends none. */
  callId: string | null;
  /** The tool's name, if the client gives it instead of the call id; else null. */
  name: string | null;
  content: string | readonly Part[];
  isError: boolean;
  cache: CacheMark | undefined;
}

/** A tool that a search among tools found. */
export interface ToolReferencePart {
  kind: "tool_reference";
  source: string;
  name: string;
}

/** A step of a server tool in an earlier turn, as text that any model can read. */
export interface ServerStepPart {
  kind: "server_step";
  source: string;
  /** The client's name of the type. */
  type: string;
  text: string;
}

/**
 * A part of a kind that the neutral model does not have. `text` is its content in words; null: the part is lost on
 * another protocol.
 */
export interface NativePart {
  kind: "native";
  source: string;
  /** The client's name of the type. */
  type: string;
  text: string | null;
}

/** A tool that the model may call. */
export type Tool = FunctionTool | CustomTool | HostedTool;

/** A tool of the caller, with a JSON object as arguments. */
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

/** A tool of the caller whose input is any text, or text of a grammar. */
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

/** A tool that the node runs, or that only one vendor's models support. */
export interface HostedTool {
  kind: "hosted";
  source: string;
  name: string | null;
  /** The client's name of the type. */
  type: string;
  runs: "web search" | "on the server" | "as its maker defined" | "unknown";
  /** Location of the user; null: unknown. */
  location: JsonObject | null;
  /** How much text a web search may read: `low`, `medium` or `high`; null: unknown. */
  contextSize: string | null;
  /** The most calls of a web search; absent: the client sets no limit. */
  maxUses?: number;
  /**
   * What happens on a node without this tool: the tool is left out, left out only if another tool remains, or the
   * request is refused.
   */
  missing: "left out" | "left out beside others" | "refused";
}

/** True when some tool or call is a custom one. */
export function usesCustomTools(tools: readonly Tool[], turns: readonly Turn[]): boolean {
  const isCalled = ({ parts }: Turn) => parts.some((part) => part.kind === "tool_call" && part.custom);
  return tools.some(({ kind }) => kind === "custom") || turns.some(isCalled);
}
