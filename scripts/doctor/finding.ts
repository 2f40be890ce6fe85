/** One thing the doctor looked at, and what to do when it is not well. */
export interface Finding {
  ok: boolean;
  subject: string;
  text: string;
}

/** Nothing to do. */
export function well(subject: string, text: string): Finding {
  return { ok: true, subject, text };
}

/** Something to do; the text says what. */
export function ill(subject: string, text: string): Finding {
  return { ok: false, subject, text };
}

/** What an error says, in one line. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
