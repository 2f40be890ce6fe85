import type { CatalogModel } from "../api/types";
import type { PlaygroundTexts } from "./texts";
import type { ToolsProblem } from "./tools";
import type { SharedSettings } from "./use-settings";
import type { TabKey } from "./use-tab-key";

export interface SettingsProps {
  settings: SharedSettings;
  onChange: (change: Partial<SharedSettings>) => void;
  texts: PlaygroundTexts;
  onTexts: (texts: PlaygroundTexts) => void;
  toolsProblem: ToolsProblem | null;
  /** Told whether a function is being written that is not saved. */
  onUnsavedTool: (unsaved: boolean) => void;
  catalog: CatalogModel[];
  mostTokens: number | null;
  tabKey: TabKey;
  disabled: boolean;
}
