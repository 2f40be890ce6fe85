import { setPasswordHashCost } from "@/lib/accounts/password";

// Before each test file: lowers the cost of password hashes in tests that are not about passwords.
setPasswordHashCost(4);
