import { isIP } from "node:net";

/** The proxies for connections to other hosts, and what is wrong with the variables that name them. */
export interface ReadProxies {
  /** The proxy for addresses with TLS. */
  https: string | null;
  /** The proxy for addresses without TLS. */
  http: string | null;
  noProxy: string;
  /** One sentence each, without values. */
  problems: string[];
  warnings: string[];
}

/**
 * Reads the proxy variables as curl does: lower-case names win, `HTTP_PROXY` has no effect, `ALL_PROXY` applies to a
 * scheme without a variable of its own. Shape: blank values are left out of `given`. Source: docs/contract.md#proxies.
 */
export function readProxies(given: Readonly<Record<string, string | undefined>>): ReadProxies {
  const first = (...names: string[]) => names.find((name) => given[name] !== undefined);
  const names: { https: string | undefined; http: string | undefined } = {
    https: first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"),
    http: first("http_proxy", "all_proxy", "ALL_PROXY"),
  };
  // Most calls go to https:// addresses: a SOCKS proxy for these is an error. One for the others is ignored, with a
  // warning.
  const unusedSocks =
    names.http !== undefined && names.http !== names.https && isSocks(given[names.http] ?? "")
      ? names.http
      : undefined;
  if (unusedSocks !== undefined) names.http = undefined;
  const used = [...new Set([names.https, names.http])].filter((name) => name !== undefined);
  const problems = used.flatMap((name) => {
    const problem = problemOf(given[name] ?? "");
    return problem === null ? [] : [`${name} ${problem}`];
  });
  const address = (name: string | undefined) => (name === undefined ? null : withScheme(given[name] ?? ""));
  const warnings = [
    ...(unusedSocks === undefined
      ? []
      : [
          `${unusedSocks} names a SOCKS proxy, which is not supported; addresses without TLS are called directly, for a proxy set http_proxy to an http or https one`,
        ]),
    ...(given.HTTP_PROXY !== undefined && given.http_proxy === undefined
      ? [
          "HTTP_PROXY has no effect, as with curl (a CGI server takes it from a request); for addresses without TLS set http_proxy",
        ]
      : []),
    ...(given.no_proxy !== undefined || given.NO_PROXY !== undefined
      ? unread(given.no_proxy ?? given.NO_PROXY ?? "")
      : []),
  ];
  return {
    https: address(names.https),
    http: address(names.http),
    noProxy: given.no_proxy ?? given.NO_PROXY ?? "",
    problems,
    warnings,
  };
}

function withScheme(text: string): string {
  return text.includes("://") ? text : `http://${text}`;
}

function isSocks(text: string): boolean {
  return /^socks/i.test(withScheme(text));
}

function problemOf(text: string): string | null {
  const address = withScheme(text);
  if (isSocks(text)) return "names a SOCKS proxy, which is not supported; set an http or https proxy";
  const scheme = URL.canParse(address) && !/[\s\p{Cc}]/u.test(address) ? new URL(address).protocol : "";
  return ["http:", "https:"].includes(scheme)
    ? null
    : "must be an address beginning with http:// or https://";
}

/** Entries of `NO_PROXY` that cannot match any host. */
function unread(list: string): string[] {
  const entries = list.split(/[\s,]+/).filter((entry) => entry !== "");
  const wrong = entries.filter(
    (entry) =>
      entry !== "*" &&
      (/:\/\/|@/.test(entry) || /\*/.test(entry.replace(/^\*\./, "")) || isWrongNetwork(entry)),
  );
  return wrong.map(
    (entry) =>
      `NO_PROXY has ${JSON.stringify(entry)}, which matches nothing; write host, .domain, host:port, an address, a network such as 10.0.0.0/8, or * alone`,
  );
}

function isWrongNetwork(entry: string): boolean {
  const [address = "", prefix] = entry.replace(/[[\]]/g, "").split("/");
  if (prefix === undefined) return false;
  const bits = isIP(address) === 4 ? 32 : 128;
  return isIP(address) === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits;
}
