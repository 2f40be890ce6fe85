/** The columns that a reader has shown or hidden, as entries such as `log+key` and `log-cost`. */
export type ColumnChoices = readonly string[];

const ENTRY = /^[a-z]+[+-][A-Za-z0-9]+$/;
const MAX_ENTRIES = 120;

/** Reads the cookie of the choices; what is no entry is left out. */
export function readColumnChoices(cookie: string | undefined): ColumnChoices {
  return (cookie ?? "")
    .split(" ")
    .filter((entry) => ENTRY.test(entry))
    .slice(-MAX_ENTRIES);
}

/** The text of the cookie. */
export function writeColumnChoices(choices: ColumnChoices): string {
  return choices.slice(-MAX_ENTRIES).join(" ");
}
