import { request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { headers } from "next/headers";
import { cache } from "react";
import type { OpenApiDocument } from "@/lib/api/openapi/document";
import type { ApiOutput } from "@/lib/api/routes";
import { pathOf, withQuery } from "../api/client";
import type { Read, ReadName } from "../api/read";
import type { Bootstrap, Profile, PublicUptime, Uptime } from "../api/types";

/** The headers of the reader's request that go with a read. */
const PASSED_ON = ["cookie", "accept-language", "x-tollgate-client-ip"];

const ANSWERS_WITHIN_MS = 10_000;
/** A page does not wait longer for its data. */
const READS_WAIT_MS = 500;

/** The signed-in account of this render; null for a visitor. Throws: Error when the gateway does not answer. */
export async function selfOfRender(): Promise<Profile | null> {
  const { status, text } = await ask("/api/user/self");
  if (status === 401) return null;
  // The operation's own schema describes the answer.
  return JSON.parse(successful("/api/user/self", status, text)) as Profile;
}

/** What pages need of settings and catalog. Throws: Error when the gateway does not answer. */
export async function bootstrapOfRender(): Promise<Bootstrap> {
  const { status, text } = await ask("/api/bootstrap");
  return JSON.parse(successful("/api/bootstrap", status, text)) as Bootstrap; // as above
}

/**
 * How well each model answers, over a period if one is given; null while the status page is off. Throws: Error when the
 * gateway does not answer.
 */
export async function statusOfRender(period: Uptime["period"] | undefined): Promise<PublicUptime | null> {
  const { status, text } = await ask(withQuery("/api/status", { period }));
  if (status === 404) return null;
  return JSON.parse(successful("/api/status", status, text)) as PublicUptime; // as above
}

/** The API document. Throws: Error when the gateway does not answer. */
export async function openApiOfRender(): Promise<OpenApiDocument> {
  const { status, text } = await ask("/openapi.json");
  return JSON.parse(successful("/openapi.json", status, text)) as OpenApiDocument; // as above
}

/**
 * The answer to another read of the API; undefined when there is none, or none soon: the browser then asks, and tells
 * why, while the page is there already.
 */
export async function answerOfRender<Name extends ReadName>(
  read: Read<Name>,
): Promise<ApiOutput<Name> | undefined> {
  const answer = ask(withQuery(pathOf(read.name, read.params), read.query)).catch(() => null);
  const soon = await Promise.race([answer, sleep(READS_WAIT_MS, null, { ref: false })]);
  return soon?.status === 200 ? (JSON.parse(soon.text) as ApiOutput<Name>) : undefined; // as above
}

function successful(path: string, status: number, text: string): string {
  if (status === 200) return text;
  throw new Error(`${path} answered ${status}`);
}

interface Answer {
  status: number;
  text: string;
}

/**
 * Asks the gateway process on its socket, each path once per render; where the pages have no gateway process, the
 * operation itself.
 */
const ask = cache(async (path: string): Promise<Answer> => {
  const given = await headers();
  const passed: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = given.get(name);
    if (value !== null) passed[name] = value;
  }
  const socketPath = process.env.TOLLGATE_READS_SOCKET;
  return socketPath ? askSocket(socketPath, path, passed) : askInProcess(path, passed);
});

function askSocket(socketPath: string, path: string, passed: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ socketPath, path, headers: passed, timeout: ANSWERS_WITHIN_MS }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => {
        text += piece;
      });
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.once("error", reject);
    });
    asked.once("timeout", () => asked.destroy(new Error(`${path} was not answered in time`)));
    asked.once("error", reject);
    asked.end();
  });
}

async function askInProcess(path: string, passed: Record<string, string>): Promise<Answer> {
  const { answerWeb } = await import("@/lib/api/serve");
  const answer = await answerWeb(new Request(`http://localhost${path}`, { headers: passed }), "");
  return { status: answer.status, text: await answer.text() };
}
