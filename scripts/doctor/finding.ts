/** The result of one check, and what to do about a problem. */
export interface Finding {
  ok: boolean;
  subject: string;
  text: string;
}

/** Nothing to do. */
export function well(subject: string, text: string): Finding {
  return { ok: true, subject, text };
}

/** A problem; the text says what to do. */
export function ill(subject: string, text: string): Finding {
  return { ok: false, subject, text };
}
