/** An image of a message. */
export interface MessageImage {
  id: string;
  /** The file name. */
  name: string;
  mediaType: string;
  /** A data URL; null without the data, because images are never stored. */
  url: string | null;
}

/** A call of a tool by a model. */
export interface ToolCall {
  /** The id that its result refers to. */
  id: string;
  name: string;
  /** JSON text; it grows during a stream. */
  input: string;
}

/** The result of a tool. */
interface ToolResult {
  /** The id of its call. */
  id: string;
  text: string;
}

/** One turn of a conversation; the results of tool calls follow the calls. */
export type Turn =
  | { role: "user"; text: string; images: readonly MessageImage[] }
  | { role: "assistant"; text: string; calls: readonly ToolCall[] }
  | { role: "tool"; results: readonly ToolResult[] };
