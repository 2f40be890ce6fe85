"use client";

import { useEffect, useRef, useState } from "react";
import { ApiError } from "../api/client";
import { openSession } from "../api/session";
import type { LoginAnswer } from "../api/types";

export type FieldErrors = Record<string, string[]>;

/**
 * Shared logic of the login and registration forms: sends the form, opens the session and continues, or shows errors.
 */
export function useAccountForm<Body>(send: (body: Body) => Promise<LoginAnswer>, next: string) {
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const problem = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null || Object.keys(errors).length > 0) problem.current?.focus();
  }, [error, errors]);

  async function submit(body: Body, found: FieldErrors): Promise<void> {
    setError(null);
    setErrors(found);
    if (Object.keys(found).length > 0 || sending) return;
    setSending(true);
    try {
      const answer = await send(body);
      await openSession(answer.token);
      window.location.assign(next);
    } catch (caught) {
      setSending(false);
      if (!(caught instanceof ApiError)) throw caught;
      setErrors(caught.fields);
      setError(caught);
    }
  }

  const reset = () => setError(null);
  return { sending, error, errors, problem, submit, reset };
}
