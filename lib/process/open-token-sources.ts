import type { Settings } from "@/lib/config/env";
import { systemClock } from "@/lib/kernel/clock";
import type { Log } from "@/lib/ops/log";
import type { Metrics } from "@/lib/ops/metrics";
import { principalOf } from "@/lib/shared/credentials/principal";
import { systemMachine } from "@/lib/upstream/credentials/system-machine";
import { startSystemTimer } from "@/lib/upstream/credentials/system-timer";
import { tokenSender } from "@/lib/upstream/credentials/token-sender";
import { TokenSources } from "@/lib/upstream/credentials/token-sources";
import type { Pools } from "@/lib/upstream/pools";

/** Access with the credentials of clouds, by the connections and the clock of this process. */
export function openTokenSources(
  pools: Pools,
  settings: Settings,
  { log, metrics }: { log: Log; metrics: Metrics },
): TokenSources {
  return new TokenSources({
    ...systemMachine,
    send: tokenSender(pools, startSystemTimer),
    clock: systemClock,
    startTimer: startSystemTimer,
    allowAmbient: settings.cloudCredentialsAmbient,
    onWarning: (credential, { code }) =>
      log.warn(
        { kind: credential.kind, principal: principalOf(credential), code },
        "a token could not be renewed; the one before it is still valid",
      ),
    onSkew: (_host, skewMs) => {
      metrics.clockDiffered();
      log.warn(
        { aheadMs: Math.round(skewMs) },
        "the clock of a node that checks signatures differs from this machine's; set this machine's clock",
      );
    },
  });
}
