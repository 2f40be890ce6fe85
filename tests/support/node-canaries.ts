import type { EchoedRequest } from "./echoing-upstream";

/** Credentials of six shapes, no two alike in any eight characters. */
export const credentials: Readonly<Record<string, string>> = {
  vendor: "sk-proj-Q7vN2xLkT9sWcan41Bz6Yd",
  word: "marmaladefoghorn",
  uuid: "9b2f6c1e-7d34-4f0a-8e55-c0ffee123abc",
  base64: "q9+/Zk3xVn8Pw2/Ls7+Tb5Yd1A==",
  hex: "4f9c2ab87de0135f6a7b8c9d0e1f2a3b",
  dots: "ab.cd9.ef-gh",
};
/** Header values that the gateway adds for the node. */
export const headers = {
  "x-route-tag": "blue-heron-42",
  "x-tenant": "quicksilver",
  "x-signature": "k1=Zm9v+/b4r==",
};
/** Hosts of the nodes: dialled, and known to a proxy only. */
export const DIRECT_HOST = "127.77.66.55";
export const NAMED_HOST = "lantern-quay.vendor.example";
/** Of the proxy before the named host. */
export const PROXY_PASSWORD = "pass/word+7719";
/** Their names. */
export const shapes = Object.keys(credentials);

/** Every encoding in which a node may write a text. */
export function waysOf(text: string): string[] {
  const bytes = Buffer.from(text);
  return [
    text,
    text.toUpperCase(),
    encodeURIComponent(text),
    encodeURIComponent(encodeURIComponent(text)),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    Buffer.from(`user:${text}`).toString("base64"),
    Buffer.from(`Authorization: Bearer ${text}\n`).toString("base64"),
    JSON.stringify(JSON.stringify({ text })),
    text.replaceAll("/", "\\/").replaceAll("+", "\\u002b"),
  ];
}

/** Texts that must not occur anywhere, neither plain nor in base64. */
function canariesOf(shape: string): string[] {
  const texts = [
    credentials[shape] ?? "",
    ...Object.values(headers),
    PROXY_PASSWORD,
    DIRECT_HOST,
    NAMED_HOST,
  ];
  return texts.flatMap((text) => [
    text,
    encodeURIComponent(text),
    Buffer.from(text).toString("base64").replace(/=+$/, ""),
    Buffer.from(text).toString("base64url"),
  ]);
}

/** All secrets of the gateway that the node knows, in every encoding, on one line. */
export function echoOf({ headers: sent }: EchoedRequest): string {
  const credential = sent["x-api-key"] ?? sent.authorization?.replace("Bearer ", "") ?? "";
  const proxied = Buffer.from(sent["proxy-authorization"]?.replace("Basic ", "") ?? "", "base64").toString();
  const texts = [credential, `Bearer ${credential}`, ...Object.keys(headers).map((name) => sent[name] ?? "")];
  const hosts = [sent.host ?? "", (sent.host ?? "").split(":")[0] ?? "", `http://${sent.host}/v1/x?y=1`];
  return [...texts, ...hosts, proxied, proxied.split(":")[1] ?? ""].flatMap(waysOf).join(" ; ");
}

/** The canaries that a text contains. */
export function leaksIn(text: string, shapesOf: readonly string[] = shapes): string[] {
  const low = text.toLowerCase();
  return [...new Set(shapesOf.flatMap(canariesOf))].filter((canary) => low.includes(canary.toLowerCase()));
}
