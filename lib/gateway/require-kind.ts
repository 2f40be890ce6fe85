import { callMessages } from "@/lib/kernel/error-messages";
import { GatewayError, invalid } from "@/lib/kernel/errors";
import { clientPaths, embeddingsPath, type ModelKind } from "@/lib/protocols/protocol";
import { type CatalogModel, isServed } from "@/lib/router/catalog";
import type { Operation } from "./operation";
import type { Gateway } from "./runtime";

const endpoints: Readonly<Record<ModelKind, string>> = {
  generation: Object.values(clientPaths)
    .map((path) => `POST ${path}`)
    .join(" or "),
  embedding: `POST ${embeddingsPath}`,
};

/** Throws: INVALID_REQUEST for an alias of another kind, naming the endpoint that serves it. */
export function requireKind({ alias, kind }: CatalogModel, operation: Operation): void {
  if (kind === operation.kind) return;
  const does = kind === "embedding" ? "makes embeddings only" : "makes no embeddings";
  throw invalid("model", `The model \`${alias}\` ${does}. Use ${endpoints[kind]}.`);
}

/** A disabled node returns when an admin enables it, at an unknown time. */
const RETRY_AFTER_DISABLED_SECONDS = 30;

/** Throws: NO_AVAILABLE_NODE when all nodes of a model are disabled. Source: docs/contract.md#b14. */
export function requireNode({ catalog }: Gateway, model: CatalogModel): void {
  if (isServed(catalog.current, model)) return;
  const message = model.routes.length === 0 ? callMessages.noNodes : callMessages.disabled;
  throw new GatewayError("NO_AVAILABLE_NODE", message(model.alias), {
    param: "model",
    retryAfterSeconds: RETRY_AFTER_DISABLED_SECONDS,
  });
}
