import { setPasswordHashCost } from "@/lib/accounts/password";

// Before each test file: what is not about passwords does not wait for their hashes.
setPasswordHashCost(4);
