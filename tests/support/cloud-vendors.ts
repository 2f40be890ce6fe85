import { generateKeyPairSync } from "node:crypto";
import {
  createServer as createPlainServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Sha256 } from "@aws-crypto/sha256-js";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import { makeCertificates } from "./certificates";
import { answerClaude, type StreamException } from "./claude-hosts";
import { startConnectProxy } from "./connect-proxy";

/** The hosts that the vendors answer for, all over TLS. */
export const hosts = {
  bedrock: "bedrock-runtime.us-east-1.amazonaws.com",
  bedrockControl: "bedrock.us-east-1.amazonaws.com",
  vpce: "vpce-1-a.bedrock-runtime.us-east-1.vpce.amazonaws.com",
  sts: "sts.us-east-1.amazonaws.com",
  entra: "login.microsoftonline.com",
  azure: "canary.openai.azure.com",
  google: "oauth2.googleapis.com",
  googleSts: "sts.googleapis.com",
  vertex: "us-central1-aiplatform.googleapis.com",
};

/** The metadata servers of machines, over plain HTTP. */
const machines = { amazon: "169.254.169.254", google: "metadata.google.internal" };

/** Keys of users, which never end. */
export const USER = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "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",
};

const DISTANCE_MS = 5 * 60_000;

/** A request as a vendor sees it. */
interface Asked {
  host: string;
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string;
}

export type Answer = { status: number; headers?: Record<string, string>; body: string };

/** Vendors of three clouds behind a proxy; what they let in is answered by an upstream. */
export class CloudVendors {
  /** The requests, in order. */
  readonly asked: Asked[] = [];
  /** Keys and tokens that work. */
  readonly secrets = new Map<string, { secretAccessKey: string; sessionToken: string | null }>();
  readonly tokens = new Set<string>();
  /** How far the clocks of hosts that check signatures are ahead; null: they do not look at the time. */
  aheadMs: number | null = 0;
  /** What hosts of models answer instead of the upstream, to calls that are let in. */
  instead: ((headers: Record<string, string>) => Answer) | null = null;
  /** What breaks the streams of Bedrock; null: nothing. */
  exception: StreamException | null = null;
  /** What the sign-in services refuse. */
  readonly refused = new Set<string>();
  readonly #certificates = makeCertificates(Object.values(hosts));
  readonly #upstream: () => string;
  #made = 0;
  #close: (() => Promise<void>)[] = [];
  /** Variables for a gateway that finds all this. */
  environment: Record<string, string> = {};

  /** `upstream`: the address of what answers calls that are let in. */
  constructor(upstream: () => string) {
    this.#upstream = upstream;
    this.secrets.set(USER.accessKeyId, { secretAccessKey: USER.secretAccessKey, sessionToken: null });
  }

  async start(): Promise<void> {
    const { key, cert, caFile } = this.#certificates;
    const serve = (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response);
    const vendors = createServer({ key, cert }, serve);
    const machine = createPlainServer(serve);
    for (const server of [vendors, machine]) {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      this.#close.push(async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      });
    }
    const proxy = await startConnectProxy(() => (vendors.address() as AddressInfo).port);
    this.#close.unshift(() => proxy.close());
    const loopback = `http://127.0.0.1:${(machine.address() as AddressInfo).port}`;
    this.environment = {
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: caFile,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${loopback}/role`,
      IDENTITY_ENDPOINT: `${loopback}/identity`,
      IDENTITY_HEADER: "canary-header-of-the-identity",
      NODE_OPTIONS: `--import ${path.resolve(import.meta.dirname, "machine-metadata.mjs")}`,
      METADATA_PORT: String((machine.address() as AddressInfo).port),
    };
  }

  async close(): Promise<void> {
    for (const close of this.#close) await close();
    this.#certificates.remove();
  }

  /** Takes back every token, and every key of a session. */
  revoke(): void {
    this.tokens.clear();
    for (const [id, { sessionToken }] of this.secrets) if (sessionToken !== null) this.secrets.delete(id);
  }

  /** How many requests a host, or a path of the machine, has had. */
  countOf(host: string): number {
    return this.asked.filter((one) => one.host === host || one.url.pathname === host).length;
  }

  get #now(): Date {
    return new Date(Date.now() + (this.aheadMs ?? 0));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const host = request.headers.host ?? "";
    const headers = request.headers as Record<string, string>;
    const url = new URL(`https://${host}${request.url}`);
    const asked = { host, method: request.method ?? "", url, headers, body };
    this.asked.push(asked);
    const answer = (await this.#answer(asked)) ?? this.instead?.(headers) ?? null;
    if (answer === null) {
      if (!answerClaude(this.#upstream(), asked, response, this.exception)) this.#pass(asked, response);
    } else {
      response.sendDate = false;
      response
        .writeHead(answer.status, { date: this.#now.toUTCString(), ...answer.headers })
        .end(answer.body);
    }
  }

  /** Null: the call is let in. */
  async #answer(asked: Asked): Promise<Answer | null> {
    if (asked.url.pathname === "/role") return json(200, this.#session("Expiration"));
    if (asked.url.pathname === "/identity") {
      const expires_on = String(Math.floor(Date.now() / 1_000) + 360_000);
      return json(200, { access_token: this.#bearer("identity"), expires_on, token_type: "Bearer" });
    }
    switch (asked.host) {
      case machines.amazon:
        return this.#imds(asked);
      case machines.google:
        return this.#googleMetadata(asked);
      case hosts.sts:
        return this.#sts(asked);
      case hosts.entra:
        return this.#entra(asked);
      case hosts.google:
        return this.#google(asked);
      case hosts.googleSts:
        return json(200, {
          token_type: "Bearer",
          expires_in: 3_600,
          access_token: this.#bearer("federation"),
        });
      case hosts.bedrock:
      case hosts.bedrockControl:
      case hosts.vpce:
        return this.#checkSignature(asked, "bedrock");
      default:
        return this.tokens.has(asked.headers.authorization ?? "")
          ? null
          : json(401, { error: { message: `Bad ${asked.headers.authorization}`, type: "x" } });
    }
  }

  /** Version 2 of the metadata of EC2 only: nothing is told without a token that was made by PUT. */
  #imds({ method, url, headers }: Asked): Answer {
    if (method === "PUT" && url.pathname === "/latest/api/token") {
      const isLimited = headers["x-aws-ec2-metadata-token-ttl-seconds"] !== undefined;
      return isLimited ? { status: 200, body: this.#bearer("imds") } : json(400, {});
    }
    const roles = "/latest/meta-data/iam/security-credentials/";
    if (!this.tokens.has(`Bearer ${headers["x-aws-ec2-metadata-token"]}`)) return json(401, {});
    if (url.pathname === roles) return { status: 200, body: "machine-role" };
    if (url.pathname !== `${roles}machine-role`) return json(404, {});
    return json(200, { Code: "Success", ...this.#session("Expiration") });
  }

  #googleMetadata({ url, headers }: Asked): Answer {
    const flavor = { "metadata-flavor": "Google" };
    const account = "/computeMetadata/v1/instance/service-accounts/default";
    if (headers["metadata-flavor"] !== "Google") return json(403, {}, flavor);
    if (url.pathname === `${account}/email`)
      return { status: 200, headers: flavor, body: "machine@canary.iam.gserviceaccount.com" };
    if (url.pathname !== `${account}/token`) return json(404, {}, flavor);
    const token = { access_token: this.#bearer("machine"), expires_in: 360_000, token_type: "Bearer" };
    return json(200, token, flavor);
  }

  /** Keys of a session, which work from now on. */
  #session(end: "Expiration") {
    this.#made += 1;
    const AccessKeyId = `ASIAIOSFODNN7SESSI0${this.#made}`;
    const secretAccessKey = `canarysecretofasession${this.#made}/abcdef`;
    const sessionToken = `canarytokenofasession${this.#made}==`;
    this.secrets.set(AccessKeyId, { secretAccessKey, sessionToken });
    const at = new Date(Date.now() + 100 * 3_600_000).toISOString().replace(/\.\d+/, "");
    return { AccessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken, [end]: at };
  }

  #bearer(name: string): string {
    this.#made += 1;
    const token = `canary.token.of.${name}.${this.#made}`;
    this.tokens.add(`Bearer ${token}`);
    return token;
  }

  async #sts(asked: Asked): Promise<Answer> {
    const form = new URLSearchParams(asked.body);
    if (form.get("Action") === "AssumeRole") {
      const refusal = await this.#checkSignature(asked, "sts");
      if (refusal !== null) return refusal;
    }
    if (this.refused.has(form.get("RoleArn") ?? ""))
      return {
        status: 403,
        body: `<ErrorResponse><Error><Code>AccessDenied</Code><Message>canary text</Message></Error></ErrorResponse>`,
      };
    const keys = this.#session("Expiration");
    const members = { ...keys, SessionToken: keys.Token };
    const xml = Object.entries(members).map(([name, text]) => `<${name}>${text}</${name}>`);
    return { status: 200, body: `<R><Credentials>${xml.join("")}</Credentials></R>` };
  }

  #entra({ body }: Asked): Answer {
    const form = new URLSearchParams(body);
    if (this.refused.has(form.get("client_secret") ?? ""))
      return json(401, { error: "invalid_client", error_codes: [7000215], error_description: "canary text" });
    return json(200, { token_type: "Bearer", expires_in: 360_000, access_token: this.#bearer("entra") });
  }

  #google({ body }: Asked): Answer {
    const isGrant =
      new URLSearchParams(body).get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer";
    if (!isGrant) return json(400, { error: "invalid_request" });
    return json(200, { token_type: "Bearer", expires_in: 360_000, access_token: this.#bearer("google") });
  }

  /** What is wrong with a signature, by another implementation; null: nothing. */
  async #checkSignature({ url, method, headers, body }: Asked, service: string): Promise<Answer | null> {
    const authorization = headers.authorization ?? "";
    const accessKeyId = /Credential=([^/]+)/.exec(authorization)?.[1] ?? "";
    const keys = this.secrets.get(accessKeyId);
    if (keys === undefined) return refusal("ExpiredTokenException", "The security token is expired");
    const at = new Date(
      (headers["x-amz-date"] ?? "").replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"),
    );
    const { secretAccessKey, sessionToken } = keys;
    const signer = new SignatureV4({
      service,
      region: "us-east-1",
      credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== null && { sessionToken }) },
      sha256: Sha256,
    });
    const signed = await signer.sign(
      new HttpRequest({
        method,
        protocol: "https:",
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: { host: url.host, "content-type": headers["content-type"] ?? "" },
        ...(method === "POST" && { body }),
      }),
      { signingDate: at },
    );
    if (signed.headers.authorization !== authorization)
      return refusal("InvalidSignatureException", "The request signature does not match");
    if (this.aheadMs === null || service === "sts") return null;
    const lateMs = this.#now.getTime() - at.getTime();
    if (Math.abs(lateMs) <= DISTANCE_MS) return null;
    const why = lateMs > 0 ? "Signature expired" : "Signature not yet current";
    return refusal("InvalidSignatureException", `${why}: ${headers["x-amz-date"]} is too far away`);
  }

  #pass({ method, url, headers, body }: Asked, response: ServerResponse): void {
    const path = url.pathname.replace(
      /^.*?\/(v1\/messages|chat\/completions|responses|models)/,
      (_, found) => (found.startsWith("v1") ? `/${found}` : `/v1/${found}`),
    );
    if (path === "/v1/models") {
      response.writeHead(200, { "content-type": "application/json" }).end('{"data":[{"id":"m"}]}');
      return;
    }
    const passed = { "content-type": headers["content-type"] ?? "" };
    httpRequest(`${this.#upstream()}${path}`, { method, headers: passed }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    }).end(body);
  }
}

function refusal(type: string, message: string): Answer {
  return json(403, { message }, { "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/` });
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

const privateKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();

/** A line of the private key of the service account. */
export const KEY_LINE = privateKey.split("\n")[3] ?? "";

const guid = "11111111-aaaa-4bbb-8ccc-222222222222";

/** A role that the user's keys may assume, unless a vendor refuses it. */
export const roleNamed = (name: string) => ({
  kind: "aws_role",
  roleArn: `arn:aws:iam::123456789012:role/${name}`,
  source: { kind: "aws_static", ...USER },
});

/** Credentials of the kinds that a gateway without leave may have. */
export const cloudCredentials = {
  keys: { kind: "aws_static", ...USER },
  role: roleNamed("good"),
  entra: { kind: "azure_client", tenantId: guid, clientId: guid, clientSecret: "canary~secret~of~entra" },
  google: {
    kind: "gcp_service_account",
    json: JSON.stringify({
      type: "service_account",
      client_email: "gate@canary.iam.gserviceaccount.com",
      private_key: privateKey,
    }),
  },
};

/** Texts that nobody may see. */
export const cloudCanaries: readonly string[] = [
  USER.secretAccessKey,
  "canary~secret~of~entra",
  KEY_LINE,
  "canarysecretofasession",
  "canarytokenofasession",
  "canary.token.of",
  "canary-header-of-the-identity",
  "canary.token.in.a.file",
  "canary text",
];
