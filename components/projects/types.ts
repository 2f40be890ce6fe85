import type { ApiOutput } from "@/lib/api/routes";

/** A project on its own page. */
export type OpenedProject = ApiOutput<"GET /api/user/projects/{id}">;

/** A member of a project. */
export type Member = ApiOutput<"GET /api/user/projects/{id}/members">["data"][number];

/** The project whose members are shown; in the Admin space one of anybody. */
export interface MembersOf {
  id: string;
  name: string;
  /** Whether the reader may change them: an owner or an admin, unless the project is archived. */
  changes: boolean;
  /** Whether the reader may leave: unless the project is archived. */
  leaves: boolean;
  space: "user" | "admin";
}
