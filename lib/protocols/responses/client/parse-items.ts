import { invalid } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { ParseContext } from "@/lib/protocols/adapters/client-request";
import type { ImagePart, Part, ToolCallPart, ToolResultPart, Turn } from "@/lib/protocols/generation/parts";
import { refusedHere } from "@/lib/protocols/generation/problems";
import { parseDataUri, sniff } from "@/lib/protocols/passes/media";
import { nextWord } from "@/lib/protocols/passes/rendering";
import {
  callOfItem,
  contentParts,
  hostedStep,
  instructionParts,
  modelParts,
  nativePart,
  reasoningPart,
  resultOfItem,
} from "./parse-parts";
import { itemType, type ResponsesItem, type ResponsesRequest } from "./schema";

/** The items of a request; the system and developer messages at the start are its instructions. */
export interface ParsedItems {
  instructions: Turn[];
  turns: Turn[];
  /** The gateway has added the last user turn. */
  prompted: boolean;
}

type OpenTurn = Turn & { parts: Part[] };

/** The items of the model between two inputs, and the results of its calls in the order of the calls. */
interface ModelTurn {
  turn: OpenTurn;
  calls: number;
  results: { order: number; part: ToolResultPart }[];
}

/** A call of an earlier item. */
interface KnownCall {
  of: ModelTurn;
  order: number;
  answered: boolean;
}

/**
 * Parses the conversation of a request: all items of the model between two inputs are one turn, and the results of its
 * calls directly follow the turn. Throws: INVALID_REQUEST naming the item. Source: docs/responses.md#s1-3.
 */
export function parseItems(request: ResponsesRequest, context: ParseContext): ParsedItems {
  const reader = new ItemReader(context);
  const { instructions, input } = request;
  if (typeof instructions === "string" && instructions !== "")
    reader.addInstructions("instructions", instructionParts(instructions, "instructions"));
  if (typeof input === "string") reader.addUser("input", contentParts(input, "input"));
  else reader.visitAll(input ?? []);
  return reader.finish();
}

class ItemReader {
  readonly #context: ParseContext;
  readonly #instructions: Turn[] = [];
  readonly #entries: (OpenTurn | ModelTurn)[] = [];
  readonly #calls = new Map<string, KnownCall[]>();
  /** The turn of the model that later items may continue. */
  #model: ModelTurn | null = null;

  constructor(context: ParseContext) {
    this.#context = context;
  }

  addInstructions(source: string, parts: Part[]): void {
    this.#instructions.push({ role: "system", source, parts, cache: undefined });
  }

  addUser(source: string, parts: Part[]): void {
    this.#add({ role: "user", source, parts, cache: undefined });
  }

  visitAll(items: readonly ResponsesItem[]): void {
    for (let index = 0; index < items.length; index += 1) {
      const item = items[index];
      if (item !== undefined) this.#visit(item, `input[${index}]`);
    }
  }

  #visit(item: ResponsesItem, source: string): void {
    const call = callOfItem(item, source);
    if (call !== null) {
      this.#addCall(call);
      return;
    }
    const result = resultOfItem(item, source);
    if (result !== null) {
      this.#addResult(result);
      return;
    }
    this.#visitOther(item, source);
  }

  finish(): ParsedItems {
    const turns = this.#entries.flatMap((entry) => ("turn" in entry ? withResults(entry) : [entry]));
    const last = turns.findLast((turn) => !isMute(turn));
    const prompted = last === undefined ? this.#hasTask(turns) : last.role === "assistant";
    if (prompted) turns.push(lastWord);
    return { instructions: this.#instructions, turns, prompted };
  }

  /** A conversation without content has a task if it has instructions or items that are left out. */
  #hasTask(turns: readonly Turn[]): boolean {
    return this.#instructions.length > 0 || turns.some(({ parts }) => parts.some(isLeftOut));
  }

  #visitOther(item: ResponsesItem, source: string): void {
    const type = itemType(item);
    switch (type) {
      case "message":
        this.#visitMessage(item, source);
        return;
      case "reasoning":
        this.#modelTurn(source).turn.parts.push(reasoningPart(item, source));
        return;
      case "additional_tools":
        return;
      case "agent_message":
        this.addUser(source, agentMessage(item, source));
        return;
      case "image_generation_call":
        this.#visitImage(item, source);
        return;
      case "item_reference":
        throw invalid(`${source}.id`, `${source}.id: no item with this id is kept; send the item itself.`);
      case "compaction":
        throw invalid(
          `${source}.encrypted_content`,
          `${source}.encrypted_content cannot be read by this model: another service has sealed it. Send the conversation itself.`,
        );
      default:
        this.#visitStep(item, type, source);
    }
  }

  #visitMessage(item: ResponsesItem, source: string): void {
    const role = item.role as Turn["role"]; // the schema allows only four roles
    const content = item.content as string | unknown[]; // the schema allows only these types
    const at = `${source}.content`;
    switch (role) {
      case "user":
        this.addUser(source, contentParts(content, at));
        return;
      case "assistant":
        this.#addWords(modelParts(content, at), source);
        return;
      default: {
        const turn = { role, source, parts: instructionParts(content, at), cache: undefined };
        if (this.#entries.length === 0) this.#instructions.push(turn);
        else this.#add(turn);
      }
    }
  }

  /** Adds text of the model; two messages of one turn become two paragraphs for nodes with one text a turn. */
  #addWords(parts: Part[], source: string): void {
    const { turn } = this.#modelTurn(source);
    const first = parts[0];
    if (first !== undefined && turn.parts.some(({ kind }) => kind === "text"))
      turn.parts.push({ kind: "text", source: first.source, text: "\n\n", cache: undefined });
    turn.parts.push(...parts);
  }

  #visitStep(item: JsonObject, type: string, source: string): void {
    const step = hostedStep(item, type, source);
    if (step !== null) {
      this.#modelTurn(source).turn.parts.push(step);
      return;
    }
    if (this.#context.compatibility === "strict") {
      const problem = {
        param: `${source}.type`,
        message: `${source}.type ${type} cannot be used with this model.`,
      };
      throw refusedHere(problem, "the item is left out");
    }
    const part = nativePart({ type }, source);
    if (this.#model === null) this.addUser(source, [part]);
    else this.#model.turn.parts.push(part);
  }

  /** A picture that the model has made becomes a user turn, because models read only pictures of users. */
  #visitImage(item: JsonObject, source: string): void {
    const image = generatedImage(item, source);
    if (image === null) this.#modelTurn(source).turn.parts.push(nativePart(item, source));
    else this.addUser(source, [image]);
  }

  #addCall(part: ToolCallPart): void {
    const of = this.#modelTurn(part.source);
    of.turn.parts.push(part);
    const known = { of, order: of.calls, answered: false };
    of.calls += 1;
    const same = this.#calls.get(part.callId);
    if (same === undefined) this.#calls.set(part.callId, [known]);
    else same.push(known);
  }

  /**
   * Of several calls with the same id the result belongs to the first one without a result; clients may number each
   * turn from the beginning.
   */
  #addResult(part: ToolResultPart): void {
    this.#model = null;
    const same = this.#calls.get(part.callId ?? "") ?? [];
    const call = same.find(({ answered }) => !answered) ?? same.at(-1);
    if (call === undefined) {
      this.#add({ role: "tool", source: part.source, parts: [part], cache: undefined });
      return;
    }
    call.answered = true;
    call.of.results.push({ order: call.order, part });
  }

  #add(turn: OpenTurn): void {
    this.#model = null;
    this.#entries.push(turn);
  }

  #modelTurn(source: string): ModelTurn {
    if (this.#model === null) {
      const turn: OpenTurn = { role: "assistant", source, parts: [], cache: undefined };
      this.#model = { turn, calls: 0, results: [] };
      this.#entries.push(this.#model);
    }
    return this.#model;
  }
}

/** Models of other protocols answer users only, and continue their own text instead of beginning a new answer. */
const lastWord: Turn = {
  role: "user",
  source: "input",
  parts: [{ kind: "text", source: "input", text: nextWord, cache: undefined }],
  cache: undefined,
};

function isMute({ parts }: Turn): boolean {
  return parts.every((part) => isLeftOut(part) || (part.kind === "text" && part.text.trim() === ""));
}

function isLeftOut(part: Part): boolean {
  return part.kind === "native" && (part.text ?? "").trim() === "";
}

function withResults({ turn, results }: ModelTurn): Turn[] {
  if (results.length === 0) return [turn];
  const parts = results.toSorted((left, right) => left.order - right.order).map(({ part }) => part);
  return [turn, { role: "tool", source: parts[0]?.source ?? turn.source, parts, cache: undefined }];
}

/** A message of another agent of the client, as user content. */
function agentMessage(item: JsonObject, source: string): Part[] {
  const content = typeof item.content === "string" || Array.isArray(item.content) ? item.content : null;
  const author = typeof item.author === "string" ? item.author : "another agent";
  const from: Part = { kind: "text", source, text: `Message from ${author}:`, cache: undefined };
  return [from, ...contentParts(content, `${source}.content`)];
}

function generatedImage({ result }: JsonObject, at: string): ImagePart | null {
  if (typeof result !== "string" || result === "") return null;
  const media = parseDataUri(result) ?? { mediaType: sniff(result) ?? "image/png", data: result };
  return {
    kind: "image",
    source: `${at}.result`,
    media: { form: "data", ...media },
    detail: null,
    cache: undefined,
  };
}
