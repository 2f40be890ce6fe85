import { Losses } from "../generation/losses";
import type { ProblemWords } from "../generation/problems";
import type { GenerationRequest } from "../generation/request";
import type { Profile } from "../profiles/profile";
import type { Target } from "../request-adapter";
import { ToolIds } from "./tool-ids";
import { ToolNames } from "./tool-names";

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
