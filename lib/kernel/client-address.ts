import { isIPv4, isIPv6 } from "node:net";

/**
 * The caller's address. `X-Forwarded-For` is believed only for the configured number of proxies, counted from the right,
 * so a forged entry never counts. Where the entry of the outermost proxy is no address, the next one to its right counts.
 * Shape: a canonical address; empty when a connection has none. Source: docs/contract.md#client-address.
 */
export function clientIp(
  forwardedFor: string | string[] | undefined,
  remoteAddress: string | undefined,
  trustProxy: number,
): string {
  const direct = addressIn(remoteAddress ?? "") ?? "";
  if (trustProxy === 0 || forwardedFor === undefined) return direct;
  const hops = (Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor)
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  for (const hop of hops.slice(-trustProxy)) {
    const address = addressIn(hop);
    if (address !== null) return address;
  }
  return direct;
}

/** The longest text that may be an address, with port, zone and quotes. Units: characters. */
const MAX_LENGTH = 128;

/**
 * The address in the notations of proxies: with a port, in brackets, in quotes, with a zone.
 * Shape: canonical; IPv4 for an IPv4-mapped IPv6 address; null when there is none. Source: docs/contract.md#client-address.
 */
export function addressIn(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  const bare = text.trim().replace(/^"(.*)"$/, "$1");
  const inBrackets = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(bare)?.[1];
  if (inBrackets !== undefined) return canonical6(inBrackets);
  const host = /^([\d.]+)(?::\d{1,5})?$/.exec(bare)?.[1] ?? "";
  return isIPv4(host) ? host : canonical6(bare);
}

function canonical6(text: string): string | null {
  const [address = ""] = text.split("%", 1);
  if (!isIPv6(address)) return null;
  const groups = groupsOf(address);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
  }
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

/** The first four groups of 64:ff9b::/96. */
const NAT64 = [0x64, 0xff9b, 0, 0].join();

/**
 * What a throttle per address counts together: an IPv4 address, or the /64 network of an IPv6 address, because one
 * customer has all addresses of it. IPv6 addresses that stand for IPv4 addresses (NAT64, RFC 6052) count one by one.
 * Other texts are returned unchanged. Source: docs/contract.md#client-address.
 */
export function throttledAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const network = groupsOf(address).slice(0, 4);
  if (network.join() === NAT64) return address;
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // A URL writes the last 32 bits of an address in dotted form as two groups.
  const text = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [left = "", right] = text.split("::");
  const before = left === "" ? [] : left.split(":");
  const after = right === undefined || right === "" ? [] : right.split(":");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
