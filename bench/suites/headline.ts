import { sameProtocolArm } from "../arms/gateway";
import { directArm, rawArm } from "../arms/proxies";
import type { Sample } from "../measure";
import { startMock } from "../mock-upstream";
import type { Options } from "../options";
import { small } from "../payloads";
import { startPostgres } from "../postgres-server";
import { runRounds } from "../rounds";
import { TollgateServer } from "../tollgate-server";

/** The product with everything on against the floor. */
export async function runHeadline(options: Options, directory: string): Promise<Sample[]> {
  const postgres = await startPostgres();
  try {
    const mock = await startMock();
    const databaseUrl = await postgres.create();
    const payloads = [small];
    const server = await TollgateServer.start({ directory, mockUrl: mock.url, payloads, databaseUrl });
    const arms = [
      directArm(mock),
      await rawArm(mock),
      sameProtocolArm("tollgate", "key, limits, hold, settle, log row in PostgreSQL", server),
    ];
    const cells = [32, 128].map((connections) => ({ suite: "headline", payload: small, connections }));
    const rig = { mock, directory, databaseCpuMs: postgres.cpuMs };
    return await runRounds(rig, arms, cells, {
      rounds: options.rounds,
      secondsPerArm: options.seconds,
      warmUpSeconds: options.quick ? 2 : 5,
    });
  } finally {
    postgres.stop();
  }
}
