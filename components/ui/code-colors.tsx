import { Fragment, type ReactNode } from "react";

/** What stands out in code of shells, JSON, TOML, Python and JavaScript alike; the rest keeps its colour. */
const tokens = new RegExp(
  [
    String.raw`(?<comment>(?<!\S)(?:#|//)[^\n]*)`,
    String.raw`(?<name>"(?:\\.|[^"\\\n])*"(?=\s*:))`,
    // JSON that a shell quotes is no string, but JSON.
    String.raw`(?<string>"(?:\\.|[^"\\\n])*"|'(?![[{])(?:\\.|[^'\\\n])*'|${"`"}[^${"`"}]*${"`"})`,
    String.raw`(?<keyword>(?<![\w-])(?:import|from|export|const|let|await|async|for|of|in|if|else|elif|return|new|def|with|as|while|try|except|catch|throw|raise|function|true|false|null|None|True|False)(?![\w-]))`,
    String.raw`(?<number>(?<![\w.-])(?<!\w:)\d+(?:\.\d+)?(?![\w.-]))`,
  ].join("|"),
  "g",
);

const colors: Record<string, string> = {
  comment: "text-muted",
  name: "text-primary",
  string: "text-success",
  keyword: "text-series-4",
  number: "text-series-4",
};

/** Longer texts, such as the frames of an answer, are drawn as they are. */
const LONGEST = 20_000;

/** The same text, its comments, strings, keywords and numbers in colours. */
export function CodeColors({ code }: { code: string }): ReactNode {
  if (code.length > LONGEST) return code;
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of code.matchAll(tokens)) {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0];
    parts.push(
      <Fragment key={match.index}>
        {code.slice(end, match.index)}
        <span className={kind && colors[kind]}>{match[0]}</span>
      </Fragment>,
    );
    end = match.index + match[0].length;
  }
  return [...parts, code.slice(end)];
}
