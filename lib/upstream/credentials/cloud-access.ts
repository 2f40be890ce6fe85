import type { Clock } from "@/lib/kernel/clock";
import type { Credential } from "@/lib/shared/credentials/credential";
import type { AwsTarget } from "./aws-target";
import type { ClockSkews } from "./clock-skew";
import type { TokenSource, TokenSourceOptions } from "./token-source";

/** How a node is called whose credential is no key: with a token or a signature. */
export interface CloudAccess {
  credential: Credential;
  source: TokenSource;
  /** What signatures name; null: nothing tells the region. */
  target: AwsTarget | null;
  skews: ClockSkews;
  clock: Clock;
  startTimer: TokenSourceOptions["startTimer"];
  /** A node's clock was found to differ. Units: milliseconds that it is ahead. */
  onSkew: (host: string, skewMs: number) => void;
}
