import type { ErrorCode } from "@/lib/kernel/errors";
import type { OperationName } from "@/lib/protocols/protocol";

export const statuses = ["success", "error", "cancelled", "interrupted"] as const;

/** What a logged request may have asked for. */
export const operations = ["generate", "embed", "compact"] as const satisfies readonly OperationName[];

/** The codes that a logged request can have. */
export const errorCodes = [
  "INVALID_REQUEST",
  "QUOTA_EXCEEDED",
  "FORBIDDEN",
  "MODEL_NOT_FOUND",
  "RATE_LIMITED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "INTERNAL_ERROR",
  "UPSTREAM_ERROR",
  "NO_AVAILABLE_NODE",
] as const satisfies readonly ErrorCode[];
