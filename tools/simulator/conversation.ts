import type { JsonObject } from "@/lib/kernel/json-object";
import type { NodeProtocol } from "@/lib/protocols/protocol";

/** A tool the client offers. */
export interface OfferedTool {
  name: string;
  schema: JsonObject;
}

/** A picture or file of the conversation, as far as the request tells. */
export interface Attachment {
  kind: "image" | "document";
  mediaType: string;
  /** Decoded bytes; null for a reference, which is never fetched. */
  bytes: number | null;
}

/** One user or assistant entry. */
export interface Turn {
  role: "user" | "assistant";
  text: string;
  attachments: Attachment[];
  toolResults: { name: string; text: string }[];
}

/** A request of any protocol as the simulation sees it. */
export interface Conversation {
  protocol: NodeProtocol;
  model: string;
  system: string;
  turns: Turn[];
  tools: OfferedTool[];
  /** Types of the tools that the provider runs itself. */
  hostedTools: string[];
  /** May, must or must not call; or the name that must be called. */
  toolChoice: "auto" | "required" | "none" | { name: string };
  parallelAllowed: boolean;
  stream: boolean;
  includeUsage: boolean;
  maxTokens: number;
  /** How many answers are asked for; all of them are alike. */
  choices: number;
  stopSequences: string[];
  reasoning: boolean;
  /** A JSON schema the text must follow. */
  outputSchema: JsonObject | null;
}

/** The simulated provider refuses a request as a real one would. */
export class Refusal extends Error {
  readonly status: number;
  readonly param: string | null;

  constructor(status: number, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.param = param;
  }
}
