import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/** The longest wait that a daily limit can ask for. Units: seconds. */
const A_DAY = 86_400;

/** What Google says in the fields of an error beside its message. Source: docs/gemini.md#errors. */
export interface GoogleDetails {
  /** Its word for the status, such as `INVALID_ARGUMENT`; null: none. */
  status: string | null;
  /** How long to wait, as text of a `Retry-After`; null: not said. Units: seconds. */
  retryAfter: string | null;
  /** The credential is wrong, which Google tells with status 400. */
  isAboutKey: boolean;
}

/** Reads the fields of one error. */
export function googleDetails({ status, message, details }: JsonObject): GoogleDetails {
  const rows = Array.isArray(details) ? details.filter(isObject) : [];
  const word = typeof status === "string" && /^[A-Z][A-Z_]+$/.test(status) ? status : null;
  const reasons = rows.map(({ reason }) => reason);
  return {
    status: word,
    retryAfter: word === null ? null : waitOf(rows),
    isAboutKey:
      word !== null &&
      (reasons.some((reason) => typeof reason === "string" && /^API_KEY_/.test(reason)) ||
        (typeof message === "string" && /^API key (?:not valid|expired|not found)/i.test(message))),
  };
}

/** A daily limit ends a day from now at the latest, whatever shorter wait stands beside it. */
function waitOf(rows: readonly JsonObject[]): string | null {
  const violations = rows.flatMap(({ violations: listed }) => (Array.isArray(listed) ? listed : []));
  if (violations.some((violation) => isObject(violation) && /PerDay/.test(String(violation.quotaId))))
    return String(A_DAY);
  const delay = rows.map(({ retryDelay }) => retryDelay).find((text) => typeof text === "string");
  return typeof delay === "string" ? (/^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] ?? null) : null;
}
