import { readFileSync } from "node:fs";

/** The flags that `npm start` passes to Node; the compared proxies get them too. */
export function startFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const words: string[] = scripts.start.split(" ");
  return words.filter((word) => word.startsWith("--"));
}
