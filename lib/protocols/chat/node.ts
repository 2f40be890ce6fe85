import type { NodeApi } from "../node-api";

/** The base URL of a chat node has the version in it. Source: docs/contract.md#s3. */
export const chatNode: NodeApi = {
  path: "/chat/completions",
  countTokensPath: null,
  modelsPath: "/models",
  credential: "authorization",
  headers: {},
};
