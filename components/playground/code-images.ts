import type { Turn } from "@/lib/protocols/kit/turn";
import { withUrls } from "./images";

/** Stands around the name of a file in a body; no language has this character. */
const MARK = "\uE000";
const inCode = new RegExp(`"(data:image/\\w+;base64,)?${MARK}([^${MARK}]*)${MARK}"`, "g");

/** The turns with the names of files in place of the data of images, for code that reads them. */
export function withFileNames(turns: readonly Turn[]): Turn[] {
  return withUrls(turns, ({ mediaType, name }) => `data:${mediaType};base64,${MARK}${name}${MARK}`);
}

/** Whether a body names files. */
export function namesFiles(body: Readonly<Record<string, unknown>>): boolean {
  return JSON.stringify(body).includes(MARK);
}

/** Code with an expression in place of each text that has a file; the function gets the name as a literal. */
export function readingFiles(code: string, read: (name: string) => string): string {
  return code.replaceAll(inCode, (_, before: string | undefined, name: string) =>
    before === undefined ? read(`"${name}"`) : `"${before}" + ${read(`"${name}"`)}`,
  );
}

/** JSON as a document that a shell fills in: it reads the files, and takes everything else as it stands. */
export function shellDocument(json: string): string {
  const literal = json.replaceAll(/[\\$`]/g, "\\$&");
  const filled = literal.replaceAll(inCode, (_, before: string | undefined, name: string) => {
    const file = String(JSON.parse(`"${name.replaceAll(/\\([\\$`])/g, "$1")}"`)).replaceAll("'", "'\\''");
    return `"${before ?? ""}$(base64 < '${file}' | tr -d '\\n')"`;
  });
  return `<<JSON\n${filled}\nJSON`;
}

/** What the code of each SDK needs to read files: an import, and a function. */
export const fileReaders = {
  python: {
    imports: "import base64\n",
    helper: `
# Images are read from the working directory.
def base64_of(file):
    with open(file, "rb") as image:
        return base64.b64encode(image.read()).decode()

`,
    read: (name: string) => `base64_of(${name})`,
  },
  node: {
    imports: 'import { readFileSync } from "node:fs";\n',
    helper: `
// Images are read from the working directory.
const base64Of = (file) => readFileSync(file, "base64");
`,
    read: (name: string) => `base64Of(${name})`,
  },
};
