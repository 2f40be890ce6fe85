const MEMBER = /^connection\.([0-9a-f-]{36})(?:\.(.+))?$/;

/** The long connection that a request came on. Shape: `lane` null: the lane without a name. */
export interface RequestConnection {
  id: string;
  lane: string | null;
}

/** The member of a timeline that names a connection and its lane; its value is the number of the turn on it. */
export function connectionMember(id: string, lane: string | null): string {
  return lane === null ? `connection.${id}` : `connection.${id}.${lane}`;
}

/** What such a member names; null: it is another member. */
export function connectionOfMember(member: string): RequestConnection | null {
  const [, id, lane = null] = MEMBER.exec(member) ?? [];
  return id === undefined ? null : { id, lane };
}
