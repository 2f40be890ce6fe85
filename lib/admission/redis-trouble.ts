import { MINUTE_MS } from "@/lib/kernel/durations";
import { DeadlineError } from "@/lib/kernel/with-deadline";

const CLUSTER = /^(MOVED|ASK|CLUSTERDOWN|TRYAGAIN)\b/;

/** The meaning of a server's error replies, with what to do. `$1` is the first group of the pattern. */
const replies: readonly (readonly [RegExp, string])[] = [
  [/No such master with that name/, "no Sentinel of REDIS_URL knows the name at its end; correct it"],
  [
    /sentinels are unreachable.*Last error: (?:NOAUTH|WRONGPASS)/s,
    "the Sentinels of REDIS_URL refuse its sentinelUsername or sentinelPassword; correct them",
  ],
  [
    /sentinels are unreachable.*Last error: ([^\r\n]{0,100})/s,
    "no Sentinel of REDIS_URL names a primary ($1); start them or correct REDIS_URL",
  ],
  [/^NOAUTH\b/, "Redis asks for a password; put it into REDIS_URL: redis://:password@host:6379"],
  [
    /^WRONGPASS\b|invalid password|without any password|no password is set/,
    "Redis refuses the user or password of REDIS_URL; correct it, with special characters percent-encoded",
  ],
  [
    /NOPERM\b/,
    "the user of REDIS_URL lacks a permission; ACL SETUSER gives it: ~tollgate:limit:* +@read +@write +eval +evalsha +time",
  ],
  [CLUSTER, "REDIS_URL names one node of a cluster; use a primary's address without cluster mode"],
  [
    /unknown command/i,
    "REDIS_URL names a Sentinel, or a server without EVALSHA; a Sentinel's address begins with redis+sentinel://",
  ],
  [/READONLY\b/, "REDIS_URL names a read-only replica; use the primary's address, or its Sentinels'"],
  [/^(LOADING|MASTERDOWN|MISCONF|OOM|BUSY)\b/, "Redis takes no writes at this moment ($1)"],
];

const codes: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate of Redis is for another host name than that of REDIS_URL",
  CERT_HAS_EXPIRED: "the certificate of Redis has expired",
  ERR_SSL_WRONG_VERSION_NUMBER: "Redis does not speak TLS at this address; use redis:// in REDIS_URL",
  ETIMEDOUT:
    "Redis cannot be reached (ETIMEDOUT); start it or correct REDIS_URL: rediss:// is for servers with TLS, redis:// for those without",
};

const UNTRUSTED = /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_)/;
/** The command was not sent; an error that was reported before explains why. */
const UNSENT = /Stream isn't writeable|Connection is closed/;
const MAX_TEXT = 200;

/** True for a refusal of some keys only, because they belong to other nodes of a cluster. */
export function isClusterRefusal(error: unknown): boolean {
  return error instanceof Error && CLUSTER.test(error.message);
}

/**
 * Why Redis does not work, with what to do, and without the sent commands: errors of the driver contain passwords. Null
 * when the error only follows from an earlier one. Source: docs/contract.md#redis.
 */
export function redisTrouble(error: unknown): string | null {
  if (error instanceof DeadlineError) return `Redis gives ${error.message}`;
  if (!(error instanceof Error)) return "Redis fails";
  const { message, code = "" } = error as NodeJS.ErrnoException;
  if (UNSENT.test(message) && !message.includes("Last error")) return null;
  for (const [pattern, words] of replies) {
    const found = pattern.exec(message);
    if (found !== null) return words.replace("$1", found[1] ?? "");
  }
  const own = codes[code];
  if (own !== undefined) return own;
  if (UNTRUSTED.test(code))
    return `the certificate of Redis is signed by no authority that Node.js trusts (${code}); give its CA: NODE_EXTRA_CA_CERTS=/path/to/ca.pem`;
  if (code !== "") return `Redis cannot be reached (${code}); start it or correct REDIS_URL`;
  const [said = ""] = message.split(/, with args|[\r\n]/, 1);
  return `Redis answers: ${said.slice(0, MAX_TEXT)}`;
}

const TOLD_AGAIN_AFTER_MS = 10 * MINUTE_MS;

/** Reports each trouble once until Redis has recovered, and otherwise again every ten minutes. Units: milliseconds. */
export class RedisTroubles {
  readonly #toldAt = new Map<string, number>();
  readonly #tell: (trouble: string) => void;
  readonly #now: () => number;

  constructor(tell: (trouble: string) => void, now: () => number = () => performance.now()) {
    this.#tell = tell;
    this.#now = now;
  }

  /** Reports an error of the connection or of a call. */
  see(error: unknown): void {
    const trouble = redisTrouble(error);
    if (trouble === null) return;
    const now = this.#now();
    const at = this.#toldAt.get(trouble);
    if (at !== undefined && now - at < TOLD_AGAIN_AFTER_MS) return;
    if (this.#toldAt.size > MAX_TEXT) this.#toldAt.clear();
    this.#toldAt.set(trouble, now);
    this.#tell(trouble);
  }

  /** Every later trouble counts as new. */
  recovered(): void {
    this.#toldAt.clear();
  }
}
