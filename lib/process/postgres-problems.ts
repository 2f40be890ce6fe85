import { sqlState } from "@/lib/db/database-error";
import { codeOf, messageOfCause } from "@/lib/ops/log-error";

/** The values that the sentences contain: from `DATABASE_URL`, and PostgreSQL's own reason. No password. */
interface Refused {
  /** Host and port. */
  at: string;
  host: string;
  user: string;
  name: string;
  reason: string;
}

const unreachable = ({ at }: Refused) =>
  `nothing answers at ${at}; start PostgreSQL, or correct the host and port of DATABASE_URL, and look at firewalls between`;

const unknownHost = ({ host }: Refused) =>
  `the host ${host} cannot be found; correct DATABASE_URL, or this machine's name service`;

const closed = ({ at, reason }: Refused) =>
  `what listens at ${at} closes the connection (${reason}); let DATABASE_URL name a PostgreSQL server, with sslmode=disable when it has no TLS`;

const untrusted = ({ at, reason }: Refused) =>
  `the certificate of ${at} is not trusted (${reason}); name its authority's file in NODE_EXTRA_CA_CERTS, or set sslmode=require in DATABASE_URL, which encrypts without checking it`;

const noTls = ({ at, reason }: Refused) =>
  `TLS with ${at} fails (${reason}); set sslmode=disable in DATABASE_URL when that server has no TLS, or set it up there`;

/** By PostgreSQL's SQLSTATE, the system's error code, or that of the driver. */
const problems: Record<string, (refused: Refused) => string> = {
  "28P01": ({ at, user }) =>
    `PostgreSQL at ${at} refuses the user ${user} with this password; correct both in DATABASE_URL`,
  "28000": ({ at, user, reason }) =>
    `PostgreSQL at ${at} does not let the user ${user} in (${reason}); create the user, let it in in pg_hba.conf, or correct DATABASE_URL (sslmode=require where it asks for encryption)`,
  "3D000": ({ at, name }) =>
    `PostgreSQL at ${at} has no database ${name}; create it (CREATE DATABASE), or correct the name in DATABASE_URL`,
  "42501": ({ user, name, reason }) =>
    `the user ${user} lacks a right in the database ${name} (${reason}); grant it: GRANT CREATE ON DATABASE … TO …, and GRANT USAGE, CREATE ON SCHEMA public TO …`,
  "53100": ({ at, reason }) => `the disk of PostgreSQL at ${at} is full (${reason}); make room there`,
  "53300": ({ at, reason }) =>
    `PostgreSQL at ${at} has no connection left (${reason}); raise its max_connections, or stop what holds them`,
  "57P03": ({ at, reason }) =>
    `PostgreSQL at ${at} takes no connections yet (${reason}); start again when it does`,
  "25006": ({ at }) =>
    `PostgreSQL at ${at} takes no writes (a standby, or read-only); point DATABASE_URL at the primary, or make it writable`,
  ECONNREFUSED: unreachable,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  CONNECT_TIMEOUT: unreachable,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNRESET: closed,
  EPIPE: closed,
  CONNECTION_CLOSED: closed,
  CONNECTION_ENDED: closed,
  EPROTO: noTls,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  CERT_NOT_YET_VALID: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
};

/** What is wrong with the PostgreSQL of `DATABASE_URL`, and what to do; null for an error of something else. */
export function postgresProblem(error: unknown, databaseUrl: string): string | null {
  const code = codeOf(error);
  if (code === null) return null;
  const reason = messageOfCause(error);
  const refused = { ...placeIn(databaseUrl), reason };
  const known = problems[code];
  if (known !== undefined) return known(refused);
  if (code.startsWith("ERR_SSL_")) return noTls(refused);
  if (sqlState(error) === null) return null;
  return `PostgreSQL at ${refused.at} answers: ${reason} (${code}); correct what it names, or DATABASE_URL`;
}

function placeIn(databaseUrl: string): Omit<Refused, "reason"> {
  const { hostname, port, username, pathname } = new URL(databaseUrl);
  const host = hostname || "localhost";
  const user = decodeURIComponent(username) || "of this process";
  return { host, at: `${host}:${port || "5432"}`, user, name: decodeURIComponent(pathname.slice(1)) || user };
}
