/** An error that the embedded database reported, with the fields of a PostgreSQL error. */
export class EmbeddedDatabaseError extends Error {
  readonly code: string | null;
  readonly constraint: string | null;
  readonly detail: string | null;

  constructor(fields: {
    message: string;
    code: string | null;
    constraint: string | null;
    detail: string | null;
  }) {
    super(fields.message);
    this.name = "EmbeddedDatabaseError";
    this.code = fields.code;
    this.constraint = fields.constraint;
    this.detail = fields.detail;
  }
}
