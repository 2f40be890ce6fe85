import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { CredentialError } from "./credential-error";
import type { ExchangeContext } from "./exchange";
import type { TokenAnswer } from "./send";

/** The members of an answer; none when it is no JSON object. */
export function membersOf(answer: TokenAnswer): JsonObject {
  const value = parseJson(answer.body);
  return isObject(value) ? value : {};
}

/** A secret of an answer, which a header can carry. Throws: CredentialError for anything else. */
export function secretOf(value: unknown): string {
  if (typeof value !== "string" || !/^[\x21-\x7e]+$/.test(value)) throw new CredentialError("bad_answer");
  return value;
}

/**
 * The life of what ends at a moment, by the clock of who answered, as far as the answer tells it.
 * Units: milliseconds. Throws: CredentialError for no moment, or one in the past.
 */
export function lifeUntil(moment: unknown, answer: TokenAnswer, context: ExchangeContext): number {
  const end = typeof moment === "string" ? Date.parse(moment) : Number(moment) * 1_000;
  const theirs = Date.parse(answer.headers.date ?? "");
  return positiveLife(end - (Number.isNaN(theirs) ? context.clock.date().getTime() : theirs));
}

/** The life of what lives for some seconds, a number or its text. Units: milliseconds. Throws: CredentialError. */
export function lifeOfSeconds(seconds: unknown): number {
  const isNumber = typeof seconds === "number" || (typeof seconds === "string" && /^\d+$/.test(seconds));
  return positiveLife(isNumber ? Number(seconds) * 1_000 : Number.NaN);
}

function positiveLife(lifeMs: number): number {
  if (!Number.isFinite(lifeMs)) throw new CredentialError("bad_answer");
  if (lifeMs <= 0) throw new CredentialError("already_expired");
  return lifeMs;
}

/** A code that is known, or else the status: unknown words of an answer are never shown. */
export function refusalOf(answer: TokenAnswer, code: unknown, known: ReadonlySet<string>): CredentialError {
  return new CredentialError(typeof code === "string" && known.has(code) ? code : `http_${answer.status}`);
}
