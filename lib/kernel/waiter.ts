/**
 * Receives a result: exactly one of the two methods is called, once, and neither throws. It replaces a promise where
 * one place forwards a result that another place waits for.
 */
export interface Waiter<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}
