/** The texts of settings as they are meant, and what is wrong with the others. */
export interface GivenSettings {
  given: Record<string, string>;
  problems: string[];
}

/** What scripts write for a value that they do not have. */
const NO_VALUE = /^(undefined|null|NaN|\[object Object\])$/;
/** What a template engine or a shell should have replaced. */
const PLACEHOLDER = /^(\$\{[^}]*\}|\$\([^)]*\)|\{\{.*\}\}|<[A-Za-z][^>]*>)$/;

/** Every byte of a master key that keys were derived from counts: without its line break it would be another one. */
const TAKEN_AS_GIVEN: ReadonlySet<string> = new Set(["AUTH_SECRET", "AUTH_SECRET_PREVIOUS"]);

/**
 * Reads the texts of settings as they are meant: without blanks, line breaks, a byte order mark and one pair of quotes
 * around them, which files and secret stores leave there; an empty one counts as unset. `AUTH_SECRET` and its
 * predecessor are taken as they are. Other variables stay out.
 * Source: docs/contract.md#setting-texts.
 */
export function settingTexts(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): GivenSettings {
  const found: GivenSettings = { given: {}, problems: [] };
  for (const name of names) {
    const raw = env[name] ?? "";
    // Whoever sets a blank password would be told of another one; its own rule refuses it.
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
