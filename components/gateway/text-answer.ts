import { gzipSync } from "node:zlib";
import { acceptedCoding } from "@/lib/kernel/http";

/** Answers with a text, compressed for who takes that: the framework compresses its pages only. */
export function textAnswer(request: Request, text: string, type: string): Response {
  const coding = acceptedCoding(request.headers.get("accept-encoding") ?? undefined, ["gzip"]);
  const headers = { "content-type": type, vary: "Accept-Encoding" };
  if (coding === null) return new Response(text, { headers });
  return new Response(gzipSync(text), { headers: { ...headers, "content-encoding": coding } });
}
