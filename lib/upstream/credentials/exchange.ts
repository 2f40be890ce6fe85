import type { Clock } from "@/lib/kernel/clock";
import type { AwsKeys } from "./aws-keys";
import type { ClockSkews } from "./clock-skew";
import type { Send } from "./send";

/** What a request shows to be let in. */
export type Access =
  | { type: "aws"; keys: AwsKeys }
  | { type: "bearer"; token: string }
  | { type: "key"; key: string };

/** What an exchange has got. Shape: `lifeMs` is null for what does not expire; `principal` as of `principalOf`. */
export interface Obtained {
  access: Access;
  principal: string | null;
  /** Units: milliseconds from now. */
  lifeMs: number | null;
}

/** The gateway's own machine, as exchanges see it. */
export interface Machine {
  environment: Readonly<Record<string, string | undefined>>;
  /** The text of a file of at most 64 KiB. Rejects: any error. */
  readFile(path: string): Promise<string>;
}

/** What exchanges work with. */
export interface ExchangeContext extends Machine {
  send: Send;
  clock: Clock;
  skews: ClockSkews;
  /** Addresses of the machine may be asked: only for credentials that need it, where a setting allows them. */
  mayReachMachine: boolean;
  signal: AbortSignal;
}

/** Gets access with a credential. Rejects: CredentialError. */
export type Exchange = (context: ExchangeContext) => Promise<Obtained>;
