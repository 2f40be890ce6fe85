import type { JsonObject } from "@/lib/kernel/json-object";
import type { ConceptTable, FieldTable } from "@/lib/protocols/generation/concepts";
import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import type { ExtraRules } from "@/lib/protocols/passes/extra-costs";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import type { AnswerReader } from "./answer-reader";
import type { LimitEnding } from "./decoder";
import type { DirectAdapter } from "./direct-adapter";
import type { NodeApi } from "./node-api";
import type { Rendered, Target } from "./rendered";

/**
 * The node half of a protocol: how nodes are called and how their answers are read. Pure like `ClientAdapter`.
 * Source: docs/architecture.md#s2.
 */
export interface NodeAdapter extends AnswerReader {
  readonly id: string;
  /** The endpoints of nodes and the form of their calls. */
  readonly api: NodeApi;
  /** The adapter for clients of the same protocol; absent: their requests and answers are converted too. */
  readonly direct?: DirectAdapter;

  /** The concepts of each top-level field of a body. */
  readonly fields: FieldTable;
  /** The fate of each concept of a request. */
  readonly concepts: ConceptTable;
  /** The fields and tools that cost extra. */
  readonly extras: ExtraRules;
  /** The body of a request. Throws: INVALID_REQUEST for what this node cannot express. */
  render(request: GenerationRequest, target: Target): Rendered;
  /** The request as the host of this form takes it; absent: as it is rendered. Source: docs/clouds.md#forms. */
  forHost?(rendered: Rendered): Rendered;
  /**
   * The body without reasoning that only another model or provider can read, for a node that has refused it; null: the
   * body has none. Source: docs/responses.md#s3-3.
   */
  withoutReasoning?(body: JsonObject): JsonObject | null;

  /** A whole answer as the frames of a stream, for a node that did not stream although a stream was requested. */
  framesOfWhole(body: unknown, choices: number): SseFrame[];
  /** Ends a stream that is cut at its output limit. */
  limitEnding(choices: number): LimitEnding;
  /** Parses the JSON of a whole answer as far as the adapter needs it; absent: all of it. Throws: SyntaxError. */
  readonly parseWhole?: (json: string) => unknown;
  /** The most bytes of a whole answer; absent: 32 MiB. */
  readonly maxWholeBytes?: number;
  /** Reads the error body of a refusal. Throws: nothing. */
  readFailure(status: number | null, body: string): UpstreamFailure;
}
