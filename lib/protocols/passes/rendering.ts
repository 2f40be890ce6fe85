import type { JsonObject } from "@/lib/kernel/json";
import { Losses } from "@/lib/protocols/generation/losses";
import type { ProblemWords } from "@/lib/protocols/generation/problems";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import type { Profile } from "@/lib/protocols/profiles/profile";
import type { Target } from "@/lib/protocols/request-adapter";
import { ToolIds, ToolNames } from "./tool-names";

/** The state of a request while it is written for one node. */
export interface Rendering {
  readonly request: GenerationRequest;
  readonly target: Target;
  readonly profile: Profile;
  /** How the client is told what the node cannot take. */
  readonly words: ProblemWords;
  readonly losses: Losses;
  readonly names: ToolNames;
  readonly ids: ToolIds;
}

/** Begins to write a request; `idPrefix` is that of tool calls in the node's protocol. */
export function openRendering(request: GenerationRequest, target: Target, idPrefix: string): Rendering {
  const losses = new Losses();
  for (const note of request.notes) losses.add(note);
  return {
    request,
    target,
    profile: target.profile,
    words: request.words,
    losses,
    names: new ToolNames(target.profile.toolNameMax),
    ids: new ToolIds(idPrefix),
  };
}

// Texts that the gateway writes into a prompt. They are fixed, so that caches keep working.

/** First line of a system message that has to travel inside a user turn. */
export const systemMarker = "[System message]";

/** What stands for an image that the model cannot see. */
export const omittedImage = "[image omitted: this model takes no images]";

/** First line of a result that no call of the history asked for. */
export const orphanNote = "[result of an earlier tool call]";

/** What stands for the result of a call that has none. */
export const noResult = "no result provided";

/** Asks for JSON where the node has no such switch. */
export const jsonInstruction = "Respond with a single JSON object and nothing else.";

/** The sentence that asks for JSON of a schema, for nodes without structured output. */
export function schemaInstruction(schema: JsonObject): string {
  return `Respond with a single JSON value that conforms to this JSON schema, and nothing else:\n${JSON.stringify(schema)}`;
}
