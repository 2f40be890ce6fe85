/**
 * The numbers of the advisory locks of PostgreSQL that this program takes, each for one purpose. Other programs in the
 * same database must not use them.
 */
export const advisoryLocks = {
  /** Migrations of the schema, at every start. */
  migration: 7_405_001,
  /** Partitions that are made or dropped; the functions of migration 0007 name the number too. */
  partitions: 7_405_002,
  /**
   * With the hash of an account: stored responses that exceed its bound and are deleted; migration 0026 names the
   * number.
   */
  storedResponses: 7_405_011,
  /** The process that counts stored responses from before migration 0026. */
  earlierResponses: 7_405_012,
  /** The sweep of expired holds. */
  reaper: 7_405_003,
  /** The configuration file that is applied. */
  config: 7_236_001,
} as const;
