import type { IncomingHttpHeaders } from "node:http";
import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { awsErrorName } from "@/lib/protocols/failures/aws-error-type";
import type { SignatureRefusal } from "./clock-skew";

/** Statuses with which a vendor refuses a token or a signature. */
const statuses: ReadonlySet<number> = new Set([400, 401, 403]);

/** Types of errors of AWS about keys of a session that have ended. */
const endedTypes = /^ExpiredToken(Exception)?$/;

/** True for the status of an answer that may refuse a token or a signature. */
export function mayRefuseAccess(status: number): boolean {
  return statuses.has(status);
}

/** What a node's refusal says about the access that it was called with. Source: docs/clouds.md#failures. */
export function vendorRefusal(headers: IncomingHttpHeaders, body: string): SignatureRefusal {
  const value = parseJson(body);
  const members = isObject(value) ? value : {};
  const error = isObject(members.error) ? members.error : {};
  const message = text(members.message) ?? text(members.Message);
  const errorType = awsErrorType(headers) ?? text(members.__type) ?? text(error.code);
  return { errorType, message, date: text(headers.date) };
}

/** The type of an error of AWS in the header of its answer, without address and namespace; null for none. */
export function awsErrorType(headers: IncomingHttpHeaders): string | null {
  const type = text(headers["x-amzn-errortype"]);
  return type === null ? null : awsErrorName(type);
}

/** True when a new token may help: any 401 but Azure's for a missing role, and types that tell of the end of keys. */
export function isAboutToken(status: number, { errorType }: SignatureRefusal): boolean {
  return (
    (status === 401 && errorType !== "PermissionDenied") || endedTypes.test(awsErrorName(errorType ?? ""))
  );
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
