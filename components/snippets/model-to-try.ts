import type { ModelKind } from "@/lib/protocols/protocol";

/** The model of the demo that any client can call first. */
const DEMO_MODEL = "demo-chat";

/** The model of a first call: that of the demo, else one that generates, where there is one. */
export function modelToTry(models: readonly { id: string; kind: ModelKind }[]): string {
  const first =
    models.find(({ id }) => id === DEMO_MODEL) ?? models.find(({ kind }) => kind === "generation");
  return (first ?? models[0])?.id ?? "MODEL";
}

/** The model of a first call for embeddings, where there is one. */
export function embeddingModelToTry(models: readonly { id: string; kind: ModelKind }[]): string {
  return models.find(({ kind }) => kind === "embedding")?.id ?? "MODEL";
}
