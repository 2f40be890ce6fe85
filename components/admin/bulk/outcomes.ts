"use client";

import type { ApiOutput } from "@/lib/api/routes";
import { ApiError, isOutcomeUnknown } from "../../api/client";
import { errorMessage } from "../../api/error-message";
import { useMessages } from "../../i18n/provider";

type Answer = ApiOutput<"PATCH /api/admin/users" | "PATCH /api/admin/models">;

/** Why a record is as it was, or may be; the message is the reader's once it is told. */
interface Refusal {
  message: string;
  code?: string;
  reason?: string | null | undefined;
}

/** What became of one record; null: it is done. */
export interface Outcome {
  id: string;
  error: Refusal | null;
}

/** What was sent, and what became of each record. */
export interface BulkResult<Row, Body> {
  /** As they were before. */
  rows: Row[];
  body: Body;
  outcomes: Outcome[];
}

/** The server takes so many at once. */
const MOST_AT_ONCE = 100;

/** Words for reasons and for codes of refusals. */
export type RefusalWords = Readonly<Record<string, string>>;

/**
 * Asks for several records part by part. Of each it is told, in the reader's words, whether it is done; a first call that
 * is refused throws.
 */
export function useInParts(words: RefusalWords & { outcome_unknown: string }) {
  const common = useMessages("common");
  return (ids: string[], ask: (ids: string[]) => Promise<Answer>): Promise<Outcome[]> =>
    outcomesOf(
      ids,
      async (part) => ({ results: (await ask(part)).results.map((one) => told(one, words)) }),
      (error) => {
        if (isOutcomeUnknown(error)) return words.outcome_unknown;
        return error instanceof ApiError ? whyNot(error, words) : errorMessage(error, common);
      },
    );
}

/** Why a record was refused, in the reader's language; the server's message where there are no words for it. */
export function whyNot({ reason, code, message }: Refusal, words: RefusalWords): string {
  return words[reason ?? ""] ?? words[code ?? ""] ?? message;
}

function told({ id, error }: Answer["results"][number], words: RefusalWords): Answer["results"][number] {
  return { id, error: error && { ...error, message: whyNot(error, words) } };
}

/** Asks for the records part by part, up to one that fails: the rest is told to have failed as it did. */
export async function outcomesOf(
  ids: string[],
  ask: (ids: string[]) => Promise<Answer>,
  messageOf: (error: unknown) => string,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
    try {
      outcomes.push(...(await ask(ids.slice(at, at + MOST_AT_ONCE))).results);
    } catch (error) {
      if (outcomes.length === 0 && !isOutcomeUnknown(error)) throw error;
      return [...outcomes, ...ids.slice(at).map((id) => ({ id, error: { message: messageOf(error) } }))];
    }
  }
  return outcomes;
}
