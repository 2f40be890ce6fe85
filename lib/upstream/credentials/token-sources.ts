import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "@/lib/kernel/clock";
import { isAmbient } from "@/lib/shared/credentials/ambient";
import { type Credential, credentialText } from "@/lib/shared/credentials/credential";
import { audienceOf } from "./audience";
import { awsTarget } from "./aws-target";
import { ClockSkews } from "./clock-skew";
import type { CloudAccess } from "./cloud-access";
import { CredentialError } from "./credential-error";
import type { Exchange, Machine } from "./exchange";
import { exchangeOf } from "./exchanges";
import type { Send } from "./send";
import { TokenSource, type TokenSourceOptions } from "./token-source";

/** What all token sources of a gateway share. */
export interface TokenSourcesOptions extends Machine {
  send: Send;
  clock: Clock;
  startTimer: TokenSourceOptions["startTimer"];
  /** A setting allows what the gateway's own machine lends. */
  allowAmbient: boolean;
  /** A refresh failed while access is still valid. */
  onWarning: (credential: Credential, error: CredentialError) => void;
  /** A node's clock was found to differ. Units: milliseconds that it is ahead. */
  onSkew: (host: string, skewMs: number) => void;
}

const MAX_SOURCES = 1_000;

/**
 * One token source for each value of a credential, whichever nodes have it. The one that was not used for longest goes
 * when there are more than a thousand. Source: docs/clouds.md#refresh, #ambient.
 */
export class TokenSources {
  readonly #options: TokenSourcesOptions;
  readonly #sources = new LRUCache<string, TokenSource>({ max: MAX_SOURCES });
  /** The clocks of hosts that check signatures, the token service's as well as nodes'. */
  readonly skews = new ClockSkews();

  constructor(options: TokenSourcesOptions) {
    this.#options = options;
  }

  /** How a node with a credential is called. `baseUrl`: the node's. */
  accessTo(credential: Credential, baseUrl: string): CloudAccess {
    const { hostname } = new URL(baseUrl);
    const { clock, startTimer, onSkew } = this.#options;
    return {
      credential,
      source: this.get(credential, hostname),
      target: awsTarget(hostname, "region" in credential ? credential : {}),
      skews: this.skews,
      clock,
      startTimer,
      onSkew,
    };
  }

  /** The source for a node's credential. `hostname`: that of the node's address. */
  get(credential: Credential, hostname: string): TokenSource {
    const audience = audienceOf(credential, hostname);
    const name = createHash("sha256")
      .update(`${audience}\n${credentialText(credential)}`)
      .digest("base64");
    const found = this.#sources.get(name);
    if (found !== undefined) return found;
    const created = this.#create(credential, exchangeOf(credential, audience));
    this.#sources.set(name, created);
    return created;
  }

  #create(credential: Credential, exchange: Exchange): TokenSource {
    const { send, clock, startTimer, environment, readFile, allowAmbient, onWarning } = this.#options;
    const isLent = isAmbient(credential);
    const { skews } = this;
    return new TokenSource({
      exchange: async (signal) => {
        if (isLent && !allowAmbient) throw new CredentialError("ambient_disabled");
        return exchange({ send, clock, environment, readFile, skews, mayReachMachine: isLent, signal });
      },
      clock,
      startTimer,
      onWarning: (error) => onWarning(credential, error),
    });
  }
}
