import { rowOf } from "@/lib/kernel/json-object";

/** The statuses whose meaning the types of Bedrock's errors have; its own statuses say less. */
const statusOfType: Readonly<Record<string, number>> = {
  ValidationException: 400,
  IncompleteSignature: 401,
  IncompleteSignatureException: 401,
  InvalidSignatureException: 401,
  SignatureDoesNotMatch: 401,
  MissingAuthenticationToken: 401,
  MissingAuthenticationTokenException: 401,
  UnrecognizedClientException: 401,
  InvalidClientTokenId: 401,
  ExpiredToken: 401,
  ExpiredTokenException: 401,
  RequestExpired: 401,
  AccessDeniedException: 404, // it is about the model: others of the node can be called
  ResourceNotFoundException: 404,
  FTUFormNotFilled: 404,
  ModelTimeoutException: 408,
  ThrottlingException: 429,
  ModelNotReadyException: 429,
  ServiceQuotaExceededException: 429,
  ModelErrorException: 500,
  InternalServerException: 500,
  ServiceUnavailableException: 503,
};

/** The name of a type of AWS, as a header or a member `__type` tells it: without namespace and address. */
export function awsErrorName(type: string): string {
  return type.replace(/:.*$/s, "").replace(/^.*#/s, "");
}

/** The status whose meaning a type of AWS has; null for other types. Source: docs/clouds.md#bedrock. */
export function statusOfAwsType(type: string | null): number | null {
  return type === null ? null : (rowOf(statusOfType, awsErrorName(type)) ?? null);
}

/** A quota of the account is not lifted by itself within seconds. Units: milliseconds. */
const QUOTA_WAIT_MS = 60_000;

/** How long a refusal for a quota of the account lasts at least; null for other types. Source: docs/clouds.md#bedrock. */
export function quotaWaitMs(type: string | null): number | null {
  return type !== null && awsErrorName(type) === "ServiceQuotaExceededException" ? QUOTA_WAIT_MS : null;
}
