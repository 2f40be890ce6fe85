import { credential } from "@/lib/shared/credentials/credential";
import { audienceOf } from "@/lib/upstream/credentials/audience";
import { ClockSkews } from "@/lib/upstream/credentials/clock-skew";
import { CredentialError } from "@/lib/upstream/credentials/credential-error";
import type { ExchangeContext, Obtained } from "@/lib/upstream/credentials/exchange";
import { exchangeOf } from "@/lib/upstream/credentials/exchanges";
import { ManualClock } from "./manual-clock";
import { VendorServer } from "./vendor-server";

/** Exchanges against a server that answers for vendors. */
export class ExchangeRig {
  readonly server: VendorServer;
  readonly clock = new ManualClock();
  readonly skews = new ClockSkews();
  environment: Record<string, string> = {};
  files: Record<string, string> = {};

  private constructor(server: VendorServer) {
    this.server = server;
  }

  static async start(): Promise<ExchangeRig> {
    return new ExchangeRig(await VendorServer.start());
  }

  /** The time of vendors, in the form of the header `date`. */
  get date(): string {
    return this.clock.date().toUTCString();
  }

  /** A moment from now, as vendors write it. */
  inSeconds(seconds: number): string {
    return new Date(this.clock.date().getTime() + seconds * 1_000).toISOString();
  }

  reset(): void {
    this.server.reset();
    this.environment = {};
    this.files = {};
  }

  get context(): ExchangeContext {
    return {
      send: this.server.send,
      clock: this.clock,
      skews: this.skews,
      environment: this.environment,
      readFile: async (path) => {
        const text = this.files[path];
        if (text === undefined) throw new Error(`no file ${path}`);
        return text;
      },
      mayReachMachine: true,
      signal: new AbortController().signal,
    };
  }

  /** The result of one exchange. */
  run(
    entered: unknown,
    hostname = "node.example",
    changes: Partial<ExchangeContext> = {},
  ): Promise<Obtained> {
    const checked = credential.parse(entered);
    return exchangeOf(checked, audienceOf(checked, hostname))({ ...this.context, ...changes });
  }

  /** The code of an exchange that fails. */
  async codeOf(entered: unknown, changes: Partial<ExchangeContext> = {}): Promise<string> {
    const error = await this.run(entered, "node.example", changes).then(
      () => new Error("it did not fail"),
      (reason: unknown) => reason,
    );
    return error instanceof CredentialError ? error.code : String(error);
  }
}
