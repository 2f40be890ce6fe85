import { requestOf } from "@/lib/protocols/kit/call-request";
import { protocolKits } from "@/lib/protocols/kit/kits";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { KEY_PLACEHOLDER, KEY_VARIABLE } from "../snippets/snippets";
import { headersOf } from "./calls";
import { fileReaders, namesFiles, readingFiles, shellDocument } from "./code-images";

/** The languages that a call can be copied in. */
export const snippetLanguages = ["curl", "python", "node"] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

/**
 * A call as code, with a variable where the key goes; it prints the answer, streamed where the body asks for that, and
 * reads the images that the body names.
 */
export function callSnippet(
  language: SnippetLanguage,
  protocol: ClientProtocol,
  baseUrl: string,
  body: Readonly<Record<string, unknown>>,
): string {
  if (language === "curl") return curl(protocol, baseUrl, body);
  const { stream, ...rest } = body;
  return sdkCall(language, protocol, baseUrl, stream === true ? body : rest);
}

function curl(protocol: ClientProtocol, baseUrl: string, body: Readonly<Record<string, unknown>>): string {
  const sent = requestOf(protocol, body);
  const json = JSON.stringify(sent.body, null, 2);
  const headers = Object.entries(headersOf(protocol, KEY_PLACEHOLDER)).map(
    ([name, value]) => `  -H "${name.toLowerCase()}: ${value}" \\`,
  );
  const unbuffered = body.stream === true ? "-N " : "";
  const data = namesFiles(body) ? `@- ${shellDocument(json)}` : `'${json.replaceAll("'", "'\\''")}'`;
  const address = sent.path.includes("?") ? `"${baseUrl}${sent.path}"` : baseUrl + sent.path;
  return [`curl ${unbuffered}${address} \\`, ...headers, `  -d ${data}`].join("\n");
}

function sdkCall(
  language: "python" | "node",
  protocol: ClientProtocol,
  baseUrl: string,
  body: Readonly<Record<string, unknown>>,
): string {
  const { basePath, code } = protocolKits[protocol];
  const { text } = code;
  const address = baseUrl + basePath;
  const streams = body.stream === true;
  const { method: own, streamMethod } = code[language];
  const method = (streams ? streamMethod : undefined) ?? own ?? code.method;
  const asked = code.arguments?.(body) ?? body;
  const files = fileReaders[language];
  const [imports, helper] = namesFiles(body) ? [files.imports, files.helper] : ["", ""];
  if (language === "python")
    return `${imports}import os
${code.python.client(address, `os.environ["${KEY_VARIABLE}"]`)}
${helper}answer = client.${method}(
${readingFiles(pythonArguments(code.extraInPython, asked), files.read)}
)
${streams ? code.python.pieces : `print(${text})`}`;
  return `${imports}${code.node.client(address, `process.env.${KEY_VARIABLE}`)}
${helper}const answer = await client.${method}(${readingFiles(JSON.stringify(asked, null, 2), files.read)});
${streams ? code.node.pieces : `console.log(${text});`}`;
}

/** The arguments of a call in Python. `extraFields`: those that its method does not know. */
function pythonArguments(extraFields: readonly string[], body: Readonly<Record<string, unknown>>): string {
  const isExtra = ([name]: [string, unknown]) => extraFields.includes(name);
  const extra = Object.entries(body).filter(isExtra);
  const named = Object.entries(body).filter((entry) => !isExtra(entry));
  return [...named, ...(extra.length > 0 ? [["extra_body", Object.fromEntries(extra)] as const] : [])]
    .map(([name, value]) => `    ${name}=${python(value, "    ")},`)
    .join("\n");
}

/** A JSON value as a Python literal. */
function python(value: unknown, indent: string): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null || value === undefined) return "None";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const entries = Array.isArray(value)
    ? value.map((entry) => python(entry, inner))
    : Object.entries(value)
        .filter(([, entry]) => entry !== undefined)
        .map(([name, entry]) => `${JSON.stringify(name)}: ${python(entry, inner)}`);
  if (entries.length === 0) return open + close;
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join("")}${indent}${close}`;
}
