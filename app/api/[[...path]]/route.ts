import { answerRoute } from "@/lib/api/serve";

/** Every operation of `/api`, for hosts without our server. Source: docs/architecture.md#s1-10. */
export {
  answerRoute as DELETE,
  answerRoute as GET,
  answerRoute as HEAD,
  answerRoute as OPTIONS,
  answerRoute as PATCH,
  answerRoute as POST,
  answerRoute as PUT,
};

/** Evaluated at every request, never at build time. */
export const dynamic = "force-dynamic";
