import type { AnswerKeeper } from "@/lib/gateway/generation-context";
import { isObject } from "@/lib/kernel/json-object";
import type { PromptFields } from "@/lib/protocols/adapters/client-request";
import { findResponse, type ResponseKeeper, tokensOf } from "./response-keeper";
import type { MadeResponse, ResponseMemory } from "./response-memory";

/** What is known of a response that will be remembered before the model answers. */
export type RememberedPlace = Pick<MadeResponse, "id" | "parentId" | "depth"> & {
  input: MadeResponse["items"]["input"];
};

/** Remembers an answer on its connection, and stores it first if it is to be stored. Source: docs/websocket.md#state. */
export class RememberingKeeper implements AnswerKeeper {
  readonly #memory: ResponseMemory;
  /** Null: the answer is not stored. */
  readonly #stored: ResponseKeeper | null;
  readonly #fields: PromptFields;
  readonly #place: RememberedPlace;

  constructor(
    memory: ResponseMemory,
    stored: ResponseKeeper | null,
    fields: PromptFields,
    place: RememberedPlace,
  ) {
    this.#memory = memory;
    this.#stored = stored;
    this.#fields = fields;
    this.#place = place;
  }

  async keep(wire: string, nodeId: string | null): Promise<string> {
    const sent = this.#stored === null ? wire : await this.#stored.keep(wire, nodeId);
    const response = findResponse(sent)?.response;
    if (response === undefined || response.status === "failed") return sent;
    const { input, ...place } = this.#place;
    const output = Array.isArray(response.output) ? response.output.filter(isObject) : [];
    const tokens = tokensOf([...input, ...output], this.#fields);
    const isStored = this.#stored !== null && response.store === true;
    await this.#memory.remember({ ...place, items: { input, output }, tokens, nodeId, isStored });
    return sent;
  }
}
