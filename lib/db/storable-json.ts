/** JSON as one field of a record, without NUL and lone surrogates, which PostgreSQL's jsonb refuses. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON.stringify always escapes both. Each match is one whole escape, so an escaped backslash cannot hide one.
  return text.includes("\\u") ? text.replace(/\\(?:u[0-9a-f]{4}|.)/g, storableEscape) : text;
}

function storableEscape(sequence: string): string {
  if (sequence === "\\u0000") return "";
  return /^\\ud[89a-f]/.test(sequence) ? "\ufffd" : sequence;
}
