// Sets a new random password for an account and prints it once.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { checkNode, hasSources, installPackages, loadSettingsFiles, root, stop } from "./prepare.mjs";

const username = process.argv[2];

checkNode();
process.chdir(root);
if (!username) stop("Which account? npm run admin:reset -- USERNAME");
loadSettingsFiles();
if (hasSources()) {
  installPackages();
  const { bundle } = await import("./bundle.mjs");
  await bundle();
}
const { resetPassword } = await import(pathToFileURL(path.join(root, "dist", "admin-reset.js")).href);
try {
  process.stdout.write(`${await resetPassword(username)}\n`);
} catch (error) {
  stop(error.message);
}
