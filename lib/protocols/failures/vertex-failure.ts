import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import { readFailure } from "./failure-body";

/** The words of a permission that is denied for a model only. */
const aboutModel = /\bdenied on resource '[^']*\/models\//i;

/**
 * Reads a refusal of Vertex AI. A permission that is denied on a model is the model's, as an unknown one is: others of
 * the node can be called. Source: docs/clouds.md#vertex.
 */
export function readVertexFailure(status: number | null, body: string): UpstreamFailure {
  const failure = readFailure(status, body);
  return status === 403 && aboutModel.test(failure.message) ? { ...failure, status: 404 } : failure;
}
