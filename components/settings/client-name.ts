/** Which browser wrote a user agent; the first match counts, because most name others too. */
const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/MicroMessenger\//, "WeChat"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrom(e|ium)\/|CriOS\//, "Chrome"],
  [/Version\/.*Safari\//, "Safari"],
];

const systems: [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux|X11/, "Linux"],
];

/** Programs and libraries, by how their user agent begins. */
const programs: [RegExp, string][] = [
  [/^python|^aiohttp|^httpx/i, "Python"],
  [/^curl\b/i, "curl"],
  [/^wget\b/i, "Wget"],
  [/^(node|undici|axios)\b/i, "Node.js"],
  [/^go-http-client\b/i, "Go"],
  [/^postmanruntime\b/i, "Postman"],
  [/powershell/i, "PowerShell"],
];

const MAX_NAME_LENGTH = 40;

/** What a user agent says in plain words; `system` only of a browser, `program` null when it says nothing. */
export function clientName(userAgent: string): { program: string | null; system: string | null } {
  const find = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  const browser = find(browsers);
  if (browser !== null) return { program: browser, system: find(systems) };
  // The name that it begins with, as in "my-script/1.2 (Linux)".
  const first = /^[^/\s(]+/.exec(userAgent)?.[0].slice(0, MAX_NAME_LENGTH) ?? null;
  return { program: find(programs) ?? first, system: null };
}
