import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";

type Texts = Pick<Messages["common"]["errors"], "fields" | "rules">;

/** Messages with values in them, and the rule that each stands for. */
const patterns: [RegExp, keyof Texts["rules"]][] = [
  [/^must have your own value in place of (?<gap>\{\w+\})$/, "gap"],
  [/^must (?:be text of|have) (?<min>\d+) to (?<max>\d+) characters$/, "length"],
  [/^must be at most (?<bound>\d+) views$/, "views"],
  [/^would leave the account's quota outside 0 to /, "quota"],
  [/^must be (?<protocols>[\w ]+): (?<name>.+) speaks no other$/, "protocols"],
  [/^(?:is|has) a name of (?<alias>\S+) already$/, "taken"],
  [/^must end before (?<path>\/\S+), which the gateway adds: (?<url>\S+)$/, "operationPath"],
  [/^must end with (?<path>\/\S+)$/, "endsWith"],
  [/^must be without the query parameter (?<name>.+)$/, "noQuery"],
  [/^must end with \?[\w-]+=, such as (?<example>[^\s:]+):/, "query"],
  [/^must not be `[^`]+`: (?<node>\S+) speaks \w+, which has no embeddings$/, "noEmbeddings"],
  [/^has names of no model: (?<names>.+)$/, "unknown"],
  [/^Unrecognized keys?: (?<names>.+)$/, "unknown"],
  [/^Invalid option: expected one of (?<options>.+)$/, "options"],
  [/^Invalid input: expected (?<kind>\w+), received /, "kind"],
  [/^Too small: expected array to have >=1 items$/, "choose"],
  [/^must have at most (?<bound>\d+) entries$/, "items"],
  [/^Too big: expected array to have <=(?<bound>\d+) items$/, "items"],
];

/** A message of the API in the reader's language and numbers; null for one that has no translation. */
export function readableError(
  error: string,
  texts: Texts,
  count: (value: number) => string,
  rule?: string,
): string | null {
  const known: Record<string, string> = texts.fields;
  return known[error] ?? ruleOf(error, texts.rules, count, rule);
}

/** Whether a schema says that there is no value. */
export function isMissing(error: string): boolean {
  return /^Invalid input: expected \w+, received (undefined|null)$/.test(error);
}

/** The rule behind a schema's message, or null. */
function ruleOf(
  error: string,
  rules: Texts["rules"],
  count: (value: number) => string,
  rule: string | undefined,
): string | null {
  const between = /^must be a whole number (?:of cents )?from (?<min>\S+) to (?<max>\S+)$/.exec(error);
  const bound = /^Too (?:small|big): expected (?:number|int) to be (?<sign>[<>]=)(?<bound>\S+)$/.exec(error);
  if (isMissing(error)) return rules.required;
  const isRange =
    between !== null ||
    bound !== null ||
    /^(must be cents per|must be a (number|time) from|must not be 0)/.test(error);
  if (rule !== undefined && (isRange || error.startsWith("Invalid "))) return rule;
  if (isRange || /^Invalid input: expected (int|number)/.test(error)) {
    if (between?.groups !== undefined) {
      const { min, max } = between.groups;
      return fill(rules.between, { min: count(Number(min)), max: count(Number(max)) });
    }
    if (bound?.groups === undefined) return rules.number;
    return fill(bound.groups.sign === ">=" ? rules.atLeast : rules.atMost, {
      bound: count(Number(bound.groups.bound)),
    });
  }
  for (const [pattern, name] of patterns) {
    const match = pattern.exec(error);
    if (match !== null) return fill(rules[name], match.groups ?? {});
  }
  return null;
}
