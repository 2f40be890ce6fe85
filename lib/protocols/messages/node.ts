import type { NodeApi } from "../node-api";

/** The base URL of a messages node is the root, without the version. Source: docs/contract.md#s3. */
export const messagesNode: NodeApi = {
  path: "/v1/messages",
  countTokensPath: "/v1/messages/count_tokens",
  modelsPath: "/v1/models",
  credential: "x-api-key",
  headers: { "anthropic-version": "2023-06-01" },
};
