/** The texts of settings as they are meant, and what is wrong with the others. */
export interface GivenSettings {
  given: Record<string, string>;
  problems: string[];
}

/** What scripts write for a value that they do not have. */
const NO_VALUE = /^(undefined|null|NaN|\[object Object\])$/;
/** What a template engine or a shell should have replaced. */
const PLACEHOLDER = /^(\$\{[^}]*\}|\$\([^)]*\)|\{\{.*\}\}|<[A-Za-z][^>]*>)$/;

/**
 * Reads the texts of settings as they are meant: without blanks, line breaks, a byte order mark and one pair of quotes
 * around them, which files and secret stores leave there; an empty one counts as unset. Other variables stay out.
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
    found.given[name] = text;
    const problem = problemOf(text);
    if (problem !== null) found.problems.push(`${name} ${problem}`);
  }
  return withFormerSecret(found, env.AUTH_SECRET);
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

/** A secret that was used with its line break stays valid as the former one, so that nobody is signed out. */
function withFormerSecret({ given, problems }: GivenSettings, raw: string | undefined): GivenSettings {
  const isTrimmed = raw !== undefined && given.AUTH_SECRET !== undefined && raw !== given.AUTH_SECRET;
  if (isTrimmed && given.AUTH_SECRET_PREVIOUS === undefined) given.AUTH_SECRET_PREVIOUS = raw;
  return { given, problems };
}
