import { projectMember } from "@/lib/api/schemas/project-members";
import { projectRecord } from "@/lib/api/schemas/project-records";
import { type Body, createKey, type SignedUp, signUp } from "./account-server";
import type { TestServer } from "./server";

/** A project with an account of each kind. */
export interface ProjectPeople {
  id: string;
  payer: SignedUp;
  owner: SignedUp;
  member: SignedUp;
  outsider: SignedUp;
}

/** Creates a project that the account pays. */
export async function createProject(server: TestServer, token: string, fields: Body = {}) {
  const { status, body } = await server.api("POST", "/api/user/projects", token, {
    name: "Project",
    ...fields,
  });
  if (status !== 201) throw new Error(`no project: ${status} ${JSON.stringify(body)}`);
  return projectRecord.parse(body);
}

/** Adds a member with the token of an owner. */
export async function addMember(
  server: TestServer,
  token: string,
  projectId: string,
  fields: { username: string; role: "owner" | "member" },
) {
  const { status, body } = await server.api("POST", `/api/user/projects/${projectId}/members`, token, fields);
  if (status !== 201) throw new Error(`no member: ${status} ${JSON.stringify(body)}`);
  return projectMember.parse(body);
}

/** A project with a payer, another owner, a member, and somebody who is none of them. */
export async function projectOfPeople(server: TestServer): Promise<ProjectPeople> {
  const [payer, owner, member, outsider] = [
    await signUp(server),
    await signUp(server),
    await signUp(server),
    await signUp(server),
  ];
  const { id } = await createProject(server, payer.token);
  await addMember(server, payer.token, id, { username: owner.username, role: "owner" });
  await addMember(server, payer.token, id, { username: member.username, role: "member" });
  return { id, payer, owner, member, outsider };
}

/** A key of a project, made by the account of the token. */
export function projectKey(server: TestServer, token: string, projectId: string, fields: Body = {}) {
  return createKey(server, token, { projectId, ...fields });
}

/** The status of a small chat call with a key. */
export async function chat(server: TestServer, key: string): Promise<Response> {
  return server.gateway("/v1/chat/completions", key, {
    model: "demo-chat",
    max_tokens: 20,
    messages: [{ role: "user", content: "Hello" }],
  });
}
