import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Why tests with certificates are skipped; null when they can run. */
export const certificateSkipReason: string | null =
  spawnSync("openssl", ["version"]).status === 0 ? null : "no openssl on the PATH";

/** A CA of its own, and a certificate that it has signed for 127.0.0.1 and localhost. */
export interface TestCertificates {
  directory: string;
  ca: string;
  caFile: string;
  cert: string;
  certFile: string;
  key: string;
  keyFile: string;
  remove(): void;
}

/** Makes them in a directory of their own. `hosts`: further names that the certificate is for. */
export function makeCertificates(hosts: readonly string[] = []): TestCertificates {
  const directory = mkdtempSync(path.join(tmpdir(), "tollgate-ca-"));
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: directory, stdio: "ignore" });
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...fresh,
    "-days",
    "2",
    "-subj",
    "/CN=Test CA",
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
  );
  openssl(
    "req",
    "-x509",
    ...fresh,
    "-days",
    "1",
    "-subj",
    "/CN=localhost",
    "-addext",
    `subjectAltName=${["IP:127.0.0.1", "DNS:localhost", ...hosts.map((host) => `DNS:${host}`)].join(",")}`,
    "-addext",
    "basicConstraints=CA:FALSE",
    "-CA",
    "ca.pem",
    "-CAkey",
    "ca.key",
    "-keyout",
    "key.pem",
    "-out",
    "cert.pem",
  );
  const file = (name: string) => path.join(directory, name);
  const text = (name: string) => readFileSync(file(name), "utf8");
  return {
    directory,
    ca: text("ca.pem"),
    caFile: file("ca.pem"),
    cert: text("cert.pem"),
    certFile: file("cert.pem"),
    key: text("key.pem"),
    keyFile: file("key.pem"),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
