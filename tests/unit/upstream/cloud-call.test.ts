import { describe, expect, test } from "vitest";
import { credential } from "@/lib/shared/credentials/credential";
import { Cancellation } from "@/lib/upstream/cancellation";
import { CloudCall } from "@/lib/upstream/cloud-call";
import { ClockSkews } from "@/lib/upstream/credentials/clock-skew";
import type { CloudAccess } from "@/lib/upstream/credentials/cloud-access";
import { CredentialError } from "@/lib/upstream/credentials/credential-error";
import type { Obtained } from "@/lib/upstream/credentials/exchange";
import { TokenSource } from "@/lib/upstream/credentials/token-source";
import { UpstreamAnswer } from "@/lib/upstream/upstream-answer";
import { ManualClock } from "./credentials/manual-clock";

const keys = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "s".repeat(40), sessionToken: null };
const lent = credential.parse({ kind: "aws_imds" });

type Answered = [status: number, headers: Record<string, string>, body: string];

/** A call whose vendor answers with what it is given, in turn. */
function callOf(exchange: () => Promise<Obtained>, answers: Answered[], changes: Partial<CloudAccess> = {}) {
  const clock = new ManualClock();
  const skewed: number[] = [];
  const access: CloudAccess = {
    credential: lent,
    source: new TokenSource({ exchange, clock, startTimer: clock.startTimer, onWarning: () => {} }),
    target: { region: "us-east-1", service: "bedrock" },
    skews: new ClockSkews(),
    clock,
    startTimer: clock.startTimer,
    onSkew: (_host, skewMs) => skewed.push(skewMs),
    ...changes,
  };
  const signal = new Cancellation();
  const sent: Record<string, string>[] = [];
  const request = {
    method: "POST",
    url: new URL("https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1/chat/completions"),
    contentType: "application/json",
    body: "{}",
    signal,
    withinMs: 1_000,
  };
  const outcome = new Promise<UpstreamAnswer>((resolve, reject) => {
    new CloudCall(
      access,
      request,
      (headers, _withinMs, opening) => {
        sent.push(headers);
        opening.resolve(UpstreamAnswer.received(...(answers.shift() ?? [200, {}, "good"])));
      },
      { resolve, reject },
    ).start();
  });
  return { outcome, signal, clock, sent, skewed, access };
}

const signing = async (): Promise<Obtained> => ({
  access: { type: "aws", keys },
  principal: keys.accessKeyId,
  lifeMs: null,
});
const never = () => new Promise<Obtained>(() => {});

/** Source: docs/clouds.md#refresh, #signing, #skew. */
describe("a call of a node of a cloud", () => {
  test("with access that is held is sent at once, without a promise", async () => {
    const first = callOf(signing, []);
    await first.outcome;
    const second = callOf(never, [], { source: first.access.source });
    expect(second.sent).toHaveLength(1);
  });

  test("that is given up while a token is asked for ends at once", async () => {
    const { outcome, signal, sent } = callOf(never, []);
    signal.abort();
    await expect(outcome).rejects.toMatchObject({ name: "DialError", kind: "aborted" });
    expect(sent).toEqual([]);
  });

  test("waits for a token no longer than the request may take", async () => {
    const { outcome, clock } = callOf(never, []);
    clock.advance(1_001);
    await expect(outcome).rejects.toEqual(new CredentialError("timeout"));
  });

  test("without a region is not sent", async () => {
    const { outcome, sent } = callOf(signing, [], { target: null });
    await expect(outcome).rejects.toEqual(new CredentialError("region_unknown"));
    expect(sent).toEqual([]);
  });

  test("that is refused for its time twice is signed twice, and the answer is given on", async () => {
    const clock = new ManualClock();
    const late = (minutes: number): Answered => [
      403,
      {
        "x-amzn-errortype": "InvalidSignatureException",
        date: new Date(clock.date().getTime() + minutes * 60_000).toUTCString(),
      },
      '{"message":"Signature expired"}',
    ];
    const { outcome, sent, skewed } = callOf(signing, [late(10), late(20)]);
    const answer = await outcome;
    expect([answer.status, await answer.text(1_000)]).toEqual([403, '{"message":"Signature expired"}']);
    expect(sent.map((headers) => headers["x-amz-date"])).toEqual([
      ...new Set(sent.map((h) => h["x-amz-date"])),
    ]);
    expect([sent.length, skewed.length]).toEqual([2, 1]);
  });

  test.each([400, 401, 403])("that is refused otherwise (%i) gives the whole answer on", async (status) => {
    const { outcome, sent } = callOf(signing, [[status, {}, '{"message":"no"}']]);
    const answer = await outcome;
    expect([answer.status, await answer.text(1_000), sent.length]).toEqual([status, '{"message":"no"}', 1]);
  });
});
