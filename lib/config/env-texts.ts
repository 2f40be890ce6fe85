/** The texts of settings without surrounding blanks and quotes, and what is wrong with the others. */
export interface GivenSettings {
  given: Record<string, string>;
  problems: string[];
}

/** What scripts write for a missing value. */
const NO_VALUE = /^(undefined|null|NaN|\[object Object\])$/;
/** What a template engine or a shell should have replaced. */
const PLACEHOLDER = /^(\$\{[^}]*\}|\$\([^)]*\)|\{\{.*\}\}|<[A-Za-z][^>]*>)$/;

/** Keys are derived from every byte of a master key, a line break included: without it they would differ. */
const TAKEN_AS_GIVEN: ReadonlySet<string> = new Set(["AUTH_SECRET", "AUTH_SECRET_PREVIOUS"]);

/**
 * Reads the texts of settings without surrounding blanks, line breaks, a byte order mark and one pair of quotes, which
 * files and secret stores add; an empty one counts as unset. `AUTH_SECRET` and its predecessor stay unchanged. Other
 * variables are left out.
 * Source: docs/contract.md#setting-texts.
 */
export function settingTexts(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): GivenSettings {
  const found: GivenSettings = { given: {}, problems: [] };
  for (const name of names) {
    const raw = env[name] ?? "";
    // A blank password must not count as unset, because another one would be generated; its own rule refuses it.
    const text = meantText(raw) || (name === "INIT_ADMIN_PASSWORD" ? raw : "");
    if (text === "") continue;
    found.given[name] = TAKEN_AS_GIVEN.has(name) ? raw : text;
    const problem = problemOf(text);
    if (problem !== null) found.problems.push(`${name} ${problem}`);
  }
  return found;
}

function meantText(text: string): string {
  const trimmed = text.trim();
  const [, , quoted] = /^(["'])(.*)\1$/s.exec(trimmed) ?? [];
  return (quoted ?? trimmed).trim();
}

function problemOf(text: string): string | null {
  if (NO_VALUE.test(text))
    return `is the word ${text}, which a script writes when it has no value; give it a value, or remove it`;
  if (PLACEHOLDER.test(text))
    return `is ${text}, a placeholder that nothing has replaced; write the value itself, or remove it`;
  return null;
}
