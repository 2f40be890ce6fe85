import { z } from "zod";

/** An https address of one host, or of any below it where the host begins with a dot. */
export function addressAt(host: string) {
  return z.string().refine((text) => isAddressAt(text, host), `must be an https address of ${host}`);
}

function isAddressAt(text: string, host: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isHost = host.startsWith(".") ? url.hostname.endsWith(host) : url.hostname === host;
  return url.protocol === "https:" && isHost && url.port === "" && url.username === "" && url.password === "";
}
