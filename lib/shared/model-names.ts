/** The name of a model in lower case, without the provider before it. */
export function baseOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1).toLowerCase();
}

/** Such a name without the date after it. */
export function undated(base: string): string {
  return base.replace(/[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4})$/, "");
}

/**
 * What all spellings of a model have in common: without provider, date and `latest`, its words in alphabetical order,
 * because a provider's bill can say "Claude Haiku 3.5" for `claude-3-5-haiku-20241022`.
 */
export function modelKey(name: string): string {
  const words = undated(baseOf(name.trim())).match(/[\p{L}\p{N}]+/gu) ?? [];
  const kept = words.filter((word) => word !== "latest").sort();
  return kept.length === 0 ? name : kept.join("-");
}
