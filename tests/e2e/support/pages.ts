import { adminSpace } from "../../../components/shell/admin-space";
import { consoleSpace, entriesOf } from "../../../components/shell/navigation";

/** The pages that the navigation of the Console names. */
export const consolePages = entriesOf(consoleSpace).map(({ href }) => href);

/** The pages that the navigation of the Admin space names. */
export const adminPages = entriesOf(adminSpace).map(({ href }) => href);
