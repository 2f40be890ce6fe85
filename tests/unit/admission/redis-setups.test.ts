import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "@/bench/free-port";
import { openRedisLimiter, type RedisLimiter } from "@/lib/admission/redis";
import { RedisTroubles, redisTrouble } from "@/lib/admission/redis-trouble";
import type { LimitValues } from "@/lib/db/schema/accounts";
import { certificateSkipReason, makeCertificates, type TestCertificates } from "@/tests/support/certificates";
import { privateRedisSkipReason } from "@/tests/support/redis";
import {
  type RedisServer,
  startRedisCluster,
  startRedisServer,
  startSentinel,
  until,
} from "@/tests/support/redis-servers";

const LIMITS: LimitValues = { qps: null, rpm: 30, tpm: null };
const REPLICAS = 3;
const SHARE = 10;
const PASSWORD = "correct-horse";

/** Source: docs/contract.md#redis, docs/reliability.md#s2-8. */
describe.skipIf(privateRedisSkipReason !== null)("a Redis that does not do its work", () => {
  const servers: RedisServer[] = [];
  let limiters: RedisLimiter[] = [];
  let told: string[] = [];

  async function opened(url: string): Promise<RedisLimiter> {
    told = [];
    const troubles = new RedisTroubles((trouble) => told.push(trouble));
    const limiter = await openRedisLimiter(url, {
      liveReplicas: () => REPLICAS,
      timeoutMs: 2_000,
      onError: (error) => troubles.see(error),
      onAvailability: (available) => available && troubles.recovered(),
    });
    limiters.push(limiter);
    return limiter;
  }
  const admitted = async (limiter: RedisLimiter, keyId = "key") => {
    let count = 0;
    for (let call = 0; call < 40; call += 1)
      if ((await limiter.admit({ keyId, limits: LIMITS, tokens: 1 })).allowed) count += 1;
    return count;
  };
  const expectShare = async (limiter: RedisLimiter, sentence: RegExp) => {
    expect([limiter.status().degraded, told]).toEqual([true, [expect.stringMatching(sentence)]]);
    expect(await admitted(limiter)).toBe(SHARE);
    expect(told).toHaveLength(1);
    expect(told.join()).not.toContain(PASSWORD);
  };

  beforeAll(async () => {
    const secured = await startRedisServer(() => ["--requirepass", PASSWORD], { password: PASSWORD });
    const replica = await startRedisServer(() => [
      "--replicaof",
      `127.0.0.1 ${secured.port}`,
      "--masterauth",
      PASSWORD,
    ]);
    servers.push(secured, replica);
    await secured.control.call("ACL", "SETUSER", "narrow", "on", ">narrow-password", "+info", "+hello");
  });
  afterEach(async () => {
    await Promise.all(limiters.map((limiter) => limiter.close()));
    limiters = [];
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));
  const port = (index: number) => servers[index]?.port ?? 0;

  test("is told at once when nothing listens", async () => {
    await expectShare(
      await opened(`redis://127.0.0.1:${await freePort()}`),
      /cannot be reached \(ECONNREFUSED\)/,
    );
  });

  test("is told at once when it asks for a password", async () => {
    await expectShare(await opened(`redis://127.0.0.1:${port(0)}`), /asks for a password/);
  });

  test("is told at once when it refuses the password, which is not told", async () => {
    await expectShare(
      await opened(`redis://:${PASSWORD}-not@127.0.0.1:${port(0)}`),
      /refuses the user or password/,
    );
  });

  test("is told at once when its user lacks a permission", async () => {
    await expectShare(
      await opened(`redis://narrow:narrow-password@127.0.0.1:${port(0)}`),
      /lacks a permission/,
    );
  });

  test("is told at once when it is a read-only replica", async () => {
    await expectShare(await opened(`redis://127.0.0.1:${port(1)}`), /read-only replica/);
  });

  test("is told when the password changes later, and when all is well again", async () => {
    const changing = await startRedisServer();
    const limiter = await opened(`redis://127.0.0.1:${changing.port}`);
    expect([limiter.status().degraded, told]).toEqual([false, []]);
    await changing.control.call("CONFIG", "SET", "requirepass", PASSWORD);
    await changing.control.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await until(() => limiter.status().degraded);
    expect(told).toEqual([expect.stringMatching(/asks for a password/)]);
    await changing.control.call("CONFIG", "SET", "requirepass", "");
    await until(() => !limiter.status().degraded);
    await changing.stop();
  });

  test("is told when it is a Sentinel", async () => {
    const sentinel = await startSentinel("first", port(0), [`sentinel auth-pass first ${PASSWORD}`]);
    await expectShare(
      await opened(`redis://127.0.0.1:${sentinel.port}`),
      /names a Sentinel.*redis\+sentinel/,
    );
    await sentinel.stop();
  });

  test("is told when it is one node of a cluster, whose other keys stay exact", async () => {
    const cluster = await startRedisCluster();
    const limiter = await opened(`redis://127.0.0.1:${cluster[0]?.port}`);
    const sentence = "REDIS_URL names one node of a cluster; use a primary's address without cluster mode";
    expect([limiter.status().degraded, told]).toEqual([true, [sentence]]);
    const counts = new Set<number>();
    for (let key = 0; key < 12; key += 1) counts.add(await admitted(limiter, `key${key}`));
    expect([...counts].sort()).toEqual([SHARE, 30]);
    expect([limiter.status().degraded, told]).toEqual([true, [sentence]]);
    await Promise.all(cluster.map((node) => node.stop()));
  });

  test("is told without a stack and without what was sent", () => {
    const words = redisTrouble(
      new Error("ERR unknown subcommand, with args beginning with: 'hunter2'\nat x"),
    );
    expect(words).toBe("Redis answers: ERR unknown subcommand");
  });
});

/** Source: docs/contract.md#redis. */
describe.skipIf(privateRedisSkipReason !== null)("a primary that Sentinels name", () => {
  test("shares limits exactly, over a failover too", async () => {
    const first = await startRedisServer(() => ["--requirepass", PASSWORD, "--masterauth", PASSWORD], {
      password: PASSWORD,
    });
    const second = await startRedisServer(
      () => ["--requirepass", PASSWORD, "--masterauth", PASSWORD, "--replicaof", `127.0.0.1 ${first.port}`],
      { password: PASSWORD },
    );
    await until(async () => /master_link_status:up/.test(await second.control.info("replication")));
    const lines = [
      `sentinel auth-pass the-primary ${PASSWORD}`,
      "sentinel down-after-milliseconds the-primary 500",
    ];
    const sentinel = await startSentinel("the-primary", first.port, lines);
    await until(async () =>
      /num-slaves\W+1\b/.test(
        String(await sentinel.control.call("SENTINEL", "MASTER", "the-primary")).replaceAll(",", " "),
      ),
    );
    const gone = await freePort();
    const url = `redis+sentinel://:${PASSWORD}@127.0.0.1:${gone},127.0.0.1:${sentinel.port}/the-primary`;
    const errors: unknown[] = [];
    const options = {
      liveReplicas: () => REPLICAS,
      timeoutMs: 2_000,
      onError: (error: unknown) => errors.push(error),
    };
    const limiters = await Promise.all([1, 2, 3].map(() => openRedisLimiter(url, options)));
    expect([errors, limiters.map((limiter) => limiter.status().degraded)]).toEqual([
      [],
      [false, false, false],
    ]);
    const verdicts = await Promise.all(
      limiters.flatMap((limiter) =>
        Array.from({ length: 20 }, () => limiter.admit({ keyId: "key", limits: LIMITS, tokens: 1 })),
      ),
    );
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(30);
    // Refused for as long as the Sentinel has not heard enough of the replica.
    await until(() =>
      sentinel.control.call("SENTINEL", "FAILOVER", "the-primary").then(
        () => true,
        () => false,
      ),
    );
    await until(async () => /role:master/.test(await second.control.info("replication")));
    await until(async () => /role:slave/.test(await first.control.info("replication")));
    await until(async () => {
      const { allowed } = await (limiters[0] as RedisLimiter).admit({
        keyId: "after",
        limits: { ...LIMITS, rpm: 10_000 },
        tokens: 1,
      });
      const keys = await second.control.keys("tollgate:limit:{after}:*");
      return allowed && keys.length > 0 && !limiters[0]?.status().degraded;
    });
    await Promise.all(limiters.map((limiter) => limiter.close()));
    await Promise.all([sentinel, second, first].map((server) => server.stop()));
  });

  test("is told when no Sentinel answers or knows the name", async () => {
    const told: string[] = [];
    const troubles = new RedisTroubles((trouble) => told.push(trouble));
    const open = (url: string) =>
      openRedisLimiter(url, { liveReplicas: () => 1, onError: (error) => troubles.see(error) });
    const dead = await open(`redis+sentinel://127.0.0.1:${await freePort()}/x`);
    expect([dead.status().degraded, told]).toEqual([
      true,
      [expect.stringMatching(/no Sentinel .* names a primary/)],
    ]);
    await dead.close();
    told.length = 0;
    const server = await startRedisServer();
    const sentinel = await startSentinel("known", server.port);
    const unknown = await open(`redis+sentinel://127.0.0.1:${sentinel.port}/unknown`);
    expect([unknown.status().degraded, told]).toEqual([true, [expect.stringMatching(/knows the name/)]]);
    await unknown.close();
    await sentinel.stop();
    await server.stop();
  });
});

const reason = privateRedisSkipReason ?? certificateSkipReason;
/** Source: docs/contract.md#redis. With its CA it is tested in a process of its own: tests/api/own-ca.test.ts. */
describe.skipIf(reason !== null)("a Redis with TLS", () => {
  let certificates: TestCertificates;
  beforeAll(() => {
    certificates = makeCertificates();
  });
  afterAll(() => certificates.remove());

  test("is told when Node.js does not trust its CA, or when there is no TLS at the address", async () => {
    const { caFile, certFile, keyFile, ca } = certificates;
    const tls = (port: number) => [
      "--port",
      "0",
      "--tls-port",
      String(port),
      "--tls-auth-clients",
      "no",
      "--tls-cert-file",
      certFile,
      "--tls-key-file",
      keyFile,
      "--tls-ca-cert-file",
      caFile,
    ];
    const server = await startRedisServer(tls, { tls: { ca } });
    const told: string[] = [];
    const troubles = new RedisTroubles((trouble) => told.push(trouble));
    const open = (url: string) =>
      openRedisLimiter(url, { liveReplicas: () => 1, onError: (error) => troubles.see(error) });
    const untrusted = await open(`rediss://127.0.0.1:${server.port}`);
    expect([untrusted.status().degraded, told]).toEqual([
      true,
      [expect.stringMatching(/NODE_EXTRA_CA_CERTS/)],
    ]);
    await untrusted.close();
    told.length = 0;
    const plain = await startRedisServer();
    const without = await open(`rediss://127.0.0.1:${plain.port}`);
    expect([without.status().degraded, told]).toEqual([
      true,
      [expect.stringMatching(/rediss:\/\/ is for servers with TLS/)],
    ]);
    await without.close();
    await Promise.all([server, plain].map((one) => one.stop()));
  });
});
