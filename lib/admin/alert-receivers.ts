import { createHmac } from "node:crypto";
import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";

/** The content of an alert: its sentence, and the members of the JSON for receivers of unknown vendors. */
export interface AlertContent {
  text: string;
  facts: Readonly<Record<string, string>>;
}

/** An answer of a receiver. */
interface ReceiverAnswer {
  status: number;
  text: string;
}

/**
 * How to call a vendor's receivers, and how their answers report that they accepted a message.
 * Source: docs/contract.md#alert-receivers.
 */
interface Receiver {
  /** A name of the host, and all names that end in it behind a dot. */
  hosts: readonly string[];
  body(content: AlertContent, url: URL): Record<string, unknown>;
  /** The query and the members that prove the secret of a signed receiver. Units: milliseconds since 1970. */
  sign?(secret: string, nowMs: number): { query?: Record<string, string>; body?: Record<string, string> };
  accepts(answer: ReceiverAnswer): boolean;
}

/** The name that a receiver's keyword filter may require. */
const titled = (text: string) => `Tollgate: ${text}`;
const base64Of = (key: string, text: string) => createHmac("sha256", key).update(text).digest("base64");
const isSuccess = (status: number) => status >= 200 && status < 300;

/** True when one of these members of a JSON answer is 0. */
function hasZero({ status, text }: ReceiverAnswer, ...names: string[]): boolean {
  const body = parseJson(text);
  return isSuccess(status) && isObject(body) && names.some((name) => body[name] === 0);
}

/** Feishu and Lark: a custom bot. See https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot. */
const feishu: Receiver = {
  hosts: ["open.feishu.cn", "open.larksuite.com"],
  body: ({ text }) => ({ msg_type: "text", content: { text: titled(text) } }),
  sign: (secret, nowMs) => {
    const timestamp = String(Math.floor(nowMs / 1000));
    return { body: { timestamp, sign: base64Of(`${timestamp}\n${secret}`, "") } };
  },
  accepts: (answer) => hasZero(answer, "code", "StatusCode"),
};

/** DingTalk: a custom robot. See https://open.dingtalk.com/document/orgapp/custom-robot-access. */
const dingtalk: Receiver = {
  hosts: ["oapi.dingtalk.com"],
  body: ({ text }) => ({ msgtype: "text", text: { content: titled(text) } }),
  sign: (secret, nowMs) => {
    const timestamp = String(nowMs);
    return { query: { timestamp, sign: base64Of(secret, `${timestamp}\n${secret}`) } };
  },
  accepts: (answer) => hasZero(answer, "errcode"),
};

/** WeCom: a group robot. See https://developer.work.weixin.qq.com/document/path/91770. */
const wecom: Receiver = {
  hosts: ["qyapi.weixin.qq.com"],
  body: ({ text }) => ({ msgtype: "text", text: { content: titled(text) } }),
  accepts: (answer) => hasZero(answer, "errcode"),
};

/**
 * Slack: an incoming webhook answers `ok`, a workflow `{"ok":true}`. See
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks.
 */
const slack: Receiver = {
  hosts: ["hooks.slack.com", "hooks.slack-gov.com"],
  body: ({ text }) => ({ text }),
  accepts: ({ status, text }) => {
    const body = parseJson(text);
    return isSuccess(status) && (text.trim() === "ok" || (isObject(body) && body.ok === true));
  },
};

/**
 * Discord: answers 204, or the message with `?wait=true`; paths below `/slack` answer like Slack. See
 * https://discord.com/developers/docs/resources/webhook#execute-webhook.
 */
const discord: Receiver = {
  hosts: ["discord.com", "discordapp.com"],
  body: ({ text }, { pathname }) => (pathname.endsWith("/slack") ? { text } : { content: text }),
  accepts: ({ status, text }) => {
    const body = parseJson(text);
    return (
      status === 204 || (isSuccess(status) && (text.trim() === "ok" || (isObject(body) && "id" in body)))
    );
  },
};

/** Any other receiver: gets JSON of our own; a 2xx accepts the message unless the body reports a failure. */
const other: Receiver = {
  hosts: [],
  body: ({ text, facts }) => ({ text, content: text, ...facts }),
  accepts: ({ status, text }) => isSuccess(status) && !saysFailure(parseJson(text)),
};

/** Relays may pass on the answer of a vendor's receiver, whose codes report a failure within a 2xx. */
function saysFailure(body: unknown): boolean {
  if (!isObject(body)) return false;
  const codes = [body.errcode, body.code, body.StatusCode].filter((code) => typeof code === "number");
  return body.ok === false || body.success === false || codes.some((code) => code !== 0 && !isSuccess(code));
}

const receivers = [feishu, dingtalk, wecom, slack, discord];

function receiverAt({ hostname }: URL): Receiver {
  const isAt = (host: string) => hostname === host || hostname.endsWith(`.${host}`);
  return receivers.find(({ hosts }) => hosts.some(isAt)) ?? other;
}

/** The parameter of an alert URL that holds the secret of a signed receiver; it is not sent. */
const SECRET = "secret";

/** The body for an alert URL, and the URL to call. Units: milliseconds since 1970. */
export function alertRequest(alertUrl: string, content: AlertContent, nowMs: number) {
  const url = new URL(alertUrl);
  const receiver = receiverAt(url);
  const secret = receiver.sign === undefined ? null : url.searchParams.get(SECRET);
  if (secret !== null) url.searchParams.delete(SECRET);
  const proof = secret === null ? undefined : receiver.sign?.(secret, nowMs);
  for (const [name, value] of Object.entries(proof?.query ?? {})) url.searchParams.set(name, value);
  return { url: url.href, body: JSON.stringify({ ...proof?.body, ...receiver.body(content, url) }) };
}

/** Whether the receiver at an alert URL has accepted a message. */
export function isAccepted(alertUrl: string, answer: ReceiverAnswer): boolean {
  return receiverAt(new URL(alertUrl)).accepts(answer);
}

const SHOWN = 200;
/** A shorter part of a path, or one of lower-case letters only, is a fixed word of the vendor. */
const isSecret = (part: string) => part.length >= 16 || (part.length >= 6 && /[^a-z-]/.test(part));
/** A value with such a name is secret, however short it is. */
const SECRET_NAME = /secret|token|key|sign|password|auth/i;
/** In Telegram's paths the token follows these letters. */
const withoutPrefix = (part: string) => part.replace(/^bot(?=\d)/, "");

/** The parts of an alert URL that must not be shown, the longest first: each as written and decoded. */
function secretsOf(alertUrl: string): string[] {
  const { pathname, search, searchParams } = new URL(alertUrl);
  const parts = [...pathname.split("/"), ...search.slice(1).split(/[&=]/), ...searchParams.values()];
  const named = [...searchParams].filter(([name]) => SECRET_NAME.test(name)).map(([, value]) => value);
  const raw = [pathname.length > 1 ? pathname + search : "", ...parts.filter(isSecret), ...named];
  const all = raw.flatMap((part) => [part, decoded(part), withoutPrefix(part)]);
  return [...new Set(all)].filter((part) => part !== "").sort((one, other) => other.length - one.length);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The message of a receiver's answer, without any part of the alert URL except its host; null for an empty one. */
export function saidBy(alertUrl: string, text: string): string | null {
  const body = parseJson(text);
  const message = isObject(body) ? (body.errmsg ?? body.msg ?? body.message ?? body.error ?? text) : text;
  const words = (typeof message === "string" ? message : text).replace(/[\p{C}\s]+/gu, " ").trim();
  const cleaned = secretsOf(alertUrl).reduce(
    (rest, secret) => rest.replaceAll(secret, "***"),
    words.slice(0, 4 * SHOWN),
  );
  return cleaned === "" ? null : cleaned.slice(0, SHOWN).toWellFormed();
}
