import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";

type Text = Pick<
  Messages["logs"]["detail"],
  "warningCodes" | "warningKinds" | "warningFields" | "implausible"
>;

/** What a request lost or what was changed of it, in words; an unknown code stays unchanged. Source: docs/protocols.md#g6. */
export function warningText(code: string, text: Text): string {
  const whole: Record<string, string> = text.warningCodes;
  const known = whole[code];
  if (known !== undefined) return known;
  const [kind = "", field = "", value = ""] = partsOf(code);
  if (kind === "usage_implausible") return fill(text.implausible, { count: field.replace("output=", "") });
  const kinds: Record<string, string> = text.warningKinds;
  const words = kinds[kind];
  if (words === undefined || field === "") return code;
  const names: Record<string, string> = text.warningFields;
  const name = names[field] ?? field;
  return fill(words, { field: value === "" ? name : `${name} = ${value}` });
}

/** The kind, the field, which may have a colon of its own, and the number that some end with. */
function partsOf(code: string): string[] {
  return /^([a-z_]+):(.+?)(?::(\d+))?$/.exec(code)?.slice(1) ?? [];
}
