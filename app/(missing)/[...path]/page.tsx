import { notFound } from "next/navigation";

/** Every address that no other page has; only here, so that no other page loads the frames of the answer. */
export default function MissingPage() {
  notFound();
}
