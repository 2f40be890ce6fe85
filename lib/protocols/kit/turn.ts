/** An image of a message. */
export interface MessageImage {
  id: string;
  /** Of its file. */
  name: string;
  mediaType: string;
  /** A data URL; null where its data is gone, because images are never stored. */
  url: string | null;
}

/** A call of a tool that a model asks for. */
export interface ToolCall {
  /** By what its result is matched with it. */
  id: string;
  name: string;
  /** JSON text, which grows while it streams. */
  input: string;
}

/** What a tool gave. */
interface ToolResult {
  /** The id of its call. */
  id: string;
  text: string;
}

/** One turn of a conversation; calls of tools are followed by their results. */
export type Turn =
  | { role: "user"; text: string; images: readonly MessageImage[] }
  | { role: "assistant"; text: string; calls: readonly ToolCall[] }
  | { role: "tool"; results: readonly ToolResult[] };
